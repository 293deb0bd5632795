/**
 * Converts the navigator's mission state to the form that the commander reads.
 *
 * The library's navigator restarts a finished mission and therefore reports its end repeatedly. This class latches the
 * end, and clears it only when the mission mode is entered again. A return item in a mission reaches the commander as a
 * command.
 */
import type { Readable } from "@escapement/core";
import { NAV_STATE } from "../modes.ts";
import type { LockstepRuntime, Subscriber } from "./runtime.ts";

const CMD_RETURN = 20;

export class NavigatorReport {
  readonly mission = { feasible: false, finished: false, finishedUs: 0, current: 0, count: 0, reached: -1 };
  readonly takeoff = { finished: false, finishedUs: 0 };
  readonly orders = { returnWanted: false };
  readonly goTo: (posNed: Readable, yawRad: number) => void;
  private readonly result: Subscriber<"mission_result">;
  private readonly commands: Subscriber<"vehicle_command"> | undefined;
  private navState = -1;
  private enteredUs = 0;

  constructor(runtime: LockstepRuntime, mayOrderReturn: boolean, goTo: NavigatorReport["goTo"]) {
    this.goTo = goTo;
    this.result = runtime.subscriber("mission_result");
    this.commands = mayOrderReturn ? runtime.subscriber("vehicle_command") : undefined;
  }

  /** Reads the outputs of the last step. `nowUs` is flight time, `px4Us` is PX4's clock. */
  read(nowUs: number, px4Us: number, navState: number): void {
    if (navState !== this.navState) {
      this.navState = navState;
      this.enteredUs = px4Us;
      if (navState === NAV_STATE.mission) this.mission.finished = false;
      this.takeoff.finished = false;
    }
    if (this.commands?.isUpdated() === true) this.readCommand(this.commands);
    if (!this.result.read()) return;
    const { mission, takeoff } = this;
    const { message } = this.result;
    const { at } = message;
    mission.feasible = message.u8(at.valid) === 1;
    mission.current = message.u16(at.seq_current);
    mission.count = message.u16(at.seq_total);
    mission.reached = message.i32(at.seq_reached);
    const isEnd = message.u8(at.finished) === 1 && message.u64(at.timestamp) >= this.enteredUs;
    if (!isEnd) return;
    if (navState === NAV_STATE.mission && !mission.finished && mission.current === mission.count - 1) {
      mission.finished = true;
      mission.finishedUs = nowUs;
    }
    if (navState === NAV_STATE["take-off"] && !takeoff.finished) {
      takeoff.finished = true;
      takeoff.finishedUs = nowUs;
    }
  }

  private readCommand(commands: Subscriber<"vehicle_command">): void {
    if (commands.read() && commands.message.u32(commands.message.at.command) === CMD_RETURN)
      this.orders.returnWanted = true;
  }
}

/**
 * What PX4's navigator says of its mission, in the form in which the commander asks for it.
 *
 * The library's navigator starts a finished mission again and so announces its end again and again: the end is latched,
 * and forgotten only when the mode is entered anew. Returns ordered by a mission reach the commander as a command.
 */
import { NAV_STATE } from "../modes.ts";
import type { LockstepRuntime, Subscriber } from "./runtime.ts";

const CMD_RETURN = 20;

export class NavigatorReport {
  readonly mission = { feasible: false, finished: false, finishedUs: 0, current: 0, count: 0, reached: -1 };
  readonly takeoff = { finished: false, finishedUs: 0 };
  readonly orders = { returnWanted: false };
  private readonly result: Subscriber<"mission_result">;
  private readonly commands: Subscriber<"vehicle_command"> | undefined;
  private navState = -1;
  private enteredUs = 0;

  constructor(runtime: LockstepRuntime, mayOrderReturn: boolean) {
    this.result = runtime.subscriber("mission_result");
    this.commands = mayOrderReturn ? runtime.subscriber("vehicle_command") : undefined;
  }

  /** Reads what the last step brought. `nowUs` is flight time, `px4Us` PX4's clock. */
  read(nowUs: number, px4Us: number, navState: number): void {
    if (navState !== this.navState) {
      this.navState = navState;
      this.enteredUs = px4Us;
      if (navState === NAV_STATE.mission) this.mission.finished = false;
      this.takeoff.finished = false;
    }
    if (this.commands?.isUpdated() === true) this.hear(this.commands);
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

  private hear(commands: Subscriber<"vehicle_command">): void {
    if (commands.read() && commands.message.u32(commands.message.at.command) === CMD_RETURN)
      this.orders.returnWanted = true;
  }
}

/** Collects the text messages that PX4's modules would send to a ground station. */
import type { SourceMessage } from "@escapement/core";
import type { LockstepRuntime, Subscriber } from "./runtime.ts";

/** Severities of the topic: lower is more severe, 4 is a warning, 7 is for PX4's developers. */
const WARNING = 4;
const INFORMATION = 6;
const TEXT_LENGTH = 127;

export class ModuleMessages {
  readonly list: SourceMessage[];
  private readonly log: Subscriber<"mavlink_log">;
  private readonly decoder = new TextDecoder();

  constructor(runtime: LockstepRuntime, list: SourceMessage[]) {
    this.list = list;
    this.log = runtime.subscriber("mavlink_log");
  }

  add(tUs: number, isWarning: boolean, text: string): void {
    if (this.list.at(-1)?.text !== text) this.list.push({ tUs, isWarning, text });
  }

  /** Reads the messages of the last step. */
  read(tUs: number): void {
    while (this.log.isUpdated() && this.log.read()) {
      const { message } = this.log;
      const bytes = message.bytes.subarray(message.at.text, message.at.text + TEXT_LENGTH);
      const end = bytes.indexOf(0);
      const severity = message.u8(message.at.severity);
      // PX4 ends a text with a tab if it also sends the text as an event.
      const text = this.decoder.decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
      if (severity <= INFORMATION) this.add(tUs, severity <= WARNING, text);
    }
  }
}

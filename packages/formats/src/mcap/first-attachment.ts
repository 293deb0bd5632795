/** What kind of MCAP file it is, before anything is read: ours have an attachment before all chunks, and its name says. */
import { getU64, MAGIC, OP, RECORD_HEAD } from "./wire.ts";

/** Name of the attachment that follows the header; undefined where another record does. */
export function firstAttachment(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = MAGIC.length;
  if (bytes.length < header + RECORD_HEAD) return undefined;
  const attachment = header + RECORD_HEAD + getU64(view, header + 1);
  // Its two times stand before its name, and the name's length before that.
  const length = attachment + RECORD_HEAD + 16;
  if (bytes[attachment] !== OP.attachment || bytes.length < length + 4) return undefined;
  return new TextDecoder().decode(bytes.subarray(length + 4, length + 4 + view.getUint32(length, true)));
}

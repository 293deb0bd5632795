export { MessageFolder } from "./message-folder.ts";
export type { TopicLayout } from "./layout.ts";
export { KNOWN_TOPICS, knownLayout } from "./registry.ts";
export type { KnownTopic } from "./registry.ts";
export { TopicBuffer } from "./topic-buffer.ts";
export { px4UorbErrors } from "./errors.ts";

/** Derives layouts from the `.msg` files of a PX4 tree, for a PX4 version that our table does not describe. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isFolder } from "../places.ts";
import { parseMsg } from "./definition.ts";
import type { MessageDeclaration } from "./definition.ts";
import { layoutOf } from "./layout.ts";
import type { TopicLayout } from "./layout.ts";

export class MessageFolder {
  readonly folder: string;
  private readonly byName = new Map<string, MessageDeclaration>();
  private readonly byTopic = new Map<string, MessageDeclaration>();

  /** Reads `folder` and `folder/versioned`. */
  constructor(folder: string) {
    this.folder = folder;
    for (const part of [folder, join(folder, "versioned")]) {
      if (!isFolder(part)) continue;
      for (const file of readdirSync(part).sort()) {
        if (file.endsWith(".msg")) this.add(join(part, file));
      }
    }
  }

  get topics(): readonly string[] {
    return [...this.byTopic.keys()];
  }

  layout(topic: string): TopicLayout | undefined {
    const message = this.byTopic.get(topic);
    return message === undefined ? undefined : layoutOf(message, topic, (name) => this.byName.get(name));
  }

  private add(path: string): void {
    const name = basename(path, ".msg");
    const message = parseMsg(readFileSync(path, "utf8"), name, path);
    this.byName.set(name, message);
    for (const topic of message.topics) this.byTopic.set(topic, message);
  }
}

/**
 * The list of all commands of the page, each with a name, keys and a function. Buttons, the keyboard, the palette and
 * the help all use this list, so that they agree.
 */

/** Groups of commands, in the order in which the help lists them. */
export const GROUPS = ["time", "events", "view", "flights", "page"] as const;

export interface Command {
  readonly id: string;
  /** A short phrase that describes the command. */
  readonly label: string;
  /** Keys that run it, as `keyName` writes them, e.g. `Ctrl+K`. */
  readonly keys: readonly string[];
  readonly group: (typeof GROUPS)[number];
  /** `isExact` is set if Alt was held: the event happens at the playhead, not at the autopilot's next tick. */
  readonly run: (isExact?: boolean) => void;
}

/** Names a key with its modifiers. It uses the printed letter, so that commands work on every keyboard layout. */
function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const { key } = event;
  const isLetter = /^[a-z]$/i.test(key);
  const parts = [
    event.ctrlKey || event.metaKey ? "Ctrl" : "",
    event.altKey ? "Alt" : "",
    // Ignore Shift for signs such as <, because only some layouts need it for them.
    event.shiftKey && (isLetter || key === " " || key.length > 1) ? "Shift" : "",
    key === " " ? "Space" : isLetter ? key.toUpperCase() : key,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** Formats a key name for readers, with arrows as signs. */
export function keyText(name: string): string {
  return name.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓");
}

export class Commands {
  readonly list: Command[] = [];

  add(...commands: readonly Command[]): void {
    this.list.push(...commands);
  }

  find(id: string): Command {
    return this.list.find((command) => command.id === id)!;
  }

  run(id: string): void {
    this.find(id).run();
  }

  /** Finds the command of a key. Alt with the key of an event command also finds that command. */
  private findKey(name: string): Command | undefined {
    const isExact = (command: Command) => command.group === "events" && name.startsWith("Alt+");
    return (
      this.list.find(({ keys }) => keys.includes(name)) ??
      this.list.find((command) => isExact(command) && command.keys.includes(name.slice("Alt+".length)))
    );
  }

  /** Runs commands by their keys. While a field has the focus, only Ctrl+K and Ctrl+S run. */
  listen(target: Document): void {
    target.addEventListener("keydown", (event) => {
      const name = keyName(event);
      const isTyping = isField(event.composedPath()[0]);
      const command = this.findKey(name);
      if (command === undefined || event.defaultPrevented) return;
      if (isTyping && !name.startsWith("Ctrl+K") && name !== "Ctrl+S") return;
      // An open dialog handles all keys itself.
      if (target.querySelector("dialog[open]") !== null) return;
      // A focused button handles Space itself, and a focused list handles arrows.
      if ((name === "Space" && isPressable(event.target)) || (isArrow(name) && isList(event.target))) return;
      event.preventDefault();
      command.run(event.altKey);
    });
  }
}

function isField(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A field of a closed dialog keeps the focus until the next frame.
  if (target.closest("dialog:not([open])") !== null) return false;
  return target.matches("input, textarea, select") || target.isContentEditable;
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, summary, [role=tab]");
}

function isArrow(name: string): boolean {
  return name.startsWith("Arrow") || name === "Home" || name === "End";
}

function isList(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("[role=listbox], [role=tab], [role=radio]");
}

/**
 * Everything that one can do on the page, each with a name, a key and a function. Buttons, the keyboard, the palette and
 * the help read this list, so that they cannot disagree.
 */

/** Groups of commands, in the order in which the help lists them. */
export const GROUPS = ["time", "make it happen", "look", "flights", "page"] as const;

export interface Command {
  readonly id: string;
  /** A short phrase that describes the command. */
  readonly label: string;
  /** Keys that run it, as `keyName` writes them, e.g. `Ctrl+K`. */
  readonly keys: readonly string[];
  readonly group: (typeof GROUPS)[number];
  /** `isExact`: Alt was held, so that it happens at the playhead and not at the autopilot's next tick. */
  readonly run: (isExact?: boolean) => void;
}

/** A key with its modifiers. Letters by what is written on the key, so that it works on every layout. */
function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const { key } = event;
  const isLetter = /^[a-z]$/i.test(key);
  const parts = [
    event.ctrlKey || event.metaKey ? "Ctrl" : "",
    event.altKey ? "Alt" : "",
    // Signs such as < need Shift on some layouts and not on others.
    event.shiftKey && (isLetter || key === " " || key.length > 1) ? "Shift" : "",
    key === " " ? "Space" : isLetter ? key.toUpperCase() : key,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** A key as it is written for readers, with the arrows as signs. */
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

  /** The command of a key; with Alt also one that makes something happen. */
  private findKey(name: string): Command | undefined {
    const isExact = (command: Command) => command.group === "make it happen" && name.startsWith("Alt+");
    return (
      this.list.find(({ keys }) => keys.includes(name)) ??
      this.list.find((command) => isExact(command) && command.keys.includes(name.slice("Alt+".length)))
    );
  }

  /** Runs commands by their keys, except while a field has the focus. */
  listen(target: Document): void {
    target.addEventListener("keydown", (event) => {
      const name = keyName(event);
      const isTyping = isField(event.composedPath()[0]);
      const command = this.findKey(name);
      if (command === undefined || event.defaultPrevented) return;
      if (isTyping && !name.startsWith("Ctrl+K") && name !== "Ctrl+S") return;
      // A dialog that is open has the keys for itself.
      if (target.querySelector("dialog[open]") !== null) return;
      // A button that has the focus keeps Space, and a list its arrows.
      if ((name === "Space" && isPressable(event.target)) || (isArrow(name) && isList(event.target))) return;
      event.preventDefault();
      command.run(event.altKey);
    });
  }
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
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

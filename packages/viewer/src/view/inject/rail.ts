/** The toolbar beside the scene. Its tools add events at the playhead. */
import { effect } from "@preact/signals-core";
import { element } from "../../shared/elements.ts";
import type { Commands } from "../commands.ts";
import { keyHint } from "../flights/icon-button.ts";
import { icon } from "../icons.ts";
import type { Store } from "../store/store.ts";
import { branchName } from "./event-name.ts";
import { InjectPopover, nextTickUs } from "./popover.ts";
import { type Tool, toolCommand, TOOLS } from "./tools.ts";

export class Rail {
  readonly node = element("div", "rail");
  /** The element in which popovers open. */
  readonly place = element("div", "popover-place");
  private readonly store: Store;
  private readonly onChange: () => void;
  private readonly flyByHand: () => void;
  private readonly buttons = new Map<string, HTMLElement>();
  private popover: InjectPopover | undefined;

  /** `onChange` is called when a popover opens or closes. */
  constructor(store: Store, commands: Commands, onChange: () => void, flyByHand: () => void) {
    this.store = store;
    this.flyByHand = flyByHand;
    this.onChange = onChange;
    this.node.setAttribute("role", "toolbar");
    this.node.setAttribute("aria-label", "Add an event");
    this.node.setAttribute("aria-orientation", "vertical");
    for (const tool of TOOLS) {
      if (tool.startsGroup === true) this.node.append(element("hr", ""));
      this.node.append(this.button(tool));
      commands.add(toolCommand(tool, (isExact) => this.use(tool, isExact)));
    }
    document.addEventListener("keydown", (event) => {
      const isElsewhere = event.defaultPrevented || document.querySelector("dialog[open], .menu") !== null;
      if (event.key === "Escape" && !isElsewhere) this.popover?.close();
    });
    effect(() => {
      const head = store.state.active.value?.head.value;
      const isPossible = head?.canBranch === true || head?.takesCommands === true;
      this.node.title = isPossible ? "" : (head?.whyNot ?? "");
      // The rail may scroll, so the keyboard must reach it even if all its buttons are disabled.
      this.node.tabIndex = isPossible ? -1 : 0;
      for (const node of this.buttons.values()) (node as HTMLButtonElement).disabled = !isPossible;
    });
  }

  /** The open panel, if it adds a gust. */
  get gust(): InjectPopover | undefined {
    return this.popover?.tool.id === "gust" ? this.popover : undefined;
  }

  /** Uses a tool. `isExact` puts its event at the playhead, not at the autopilot's next tick. */
  use(tool: Tool, isExact = false): void {
    const { state, playhead } = this.store;
    const head = state.active.peek()?.head.peek();
    if (head?.canBranch !== true && head?.takesCommands !== true) return;
    if (tool.id === "hand") {
      this.popover?.close();
      return this.flyByHand();
    }
    playhead.pause();
    const atUs = isExact ? state.nowUs.peek() : nextTickUs(this.store);
    if (tool.isDirect === true) {
      const action = tool.actions[0]!;
      const at = `${atUs / 1e6} s`;
      void this.store.inject([{ at, [action]: {} }], branchName({ action, params: {} }));
      return;
    }
    const isSame = this.popover?.tool === tool;
    this.popover?.close();
    if (isSame) return;
    this.popover = new InjectPopover(tool, this.store, atUs, () => {
      this.popover = undefined;
      this.onChange();
      this.buttons.get(tool.id)?.setAttribute("aria-expanded", "false");
      this.buttons.get(tool.id)?.focus();
    });
    this.place.replaceChildren(this.popover.node);
    this.onChange();
    this.buttons.get(tool.id)?.setAttribute("aria-expanded", "true");
    this.popover.focus();
  }

  private button(tool: Tool): HTMLElement {
    const node = element(
      "button",
      "tool",
      icon(tool.icon) as unknown as HTMLElement,
      element("span", "", tool.label),
      keyHint(tool.key),
    );
    node.title = `${tool.title} (${tool.key}; with Alt, exactly at the playhead)`;
    if (tool.isDirect !== true) node.setAttribute("aria-expanded", "false");
    node.addEventListener("click", ({ altKey }) => this.use(tool, altKey));
    this.buttons.set(tool.id, node);
    return node;
  }
}

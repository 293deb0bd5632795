/**
 * The panel for adding an event: fields from the action's table, and the text that will be added to the description.
 * The scene previews the future while values change. Enter flies the event; Escape closes the panel.
 */
import { type ActionName, ACTIONS, isEffect, isSetting, type ParamTable, type PlainObject } from "@escapement/core";
import { eventToml } from "@escapement/formats";
import { button, element } from "../../shared/elements.ts";
import { keyHint } from "../flights/icon-button.ts";
import type { Store } from "../store/store.ts";
import { branchName, type Draft, eventOf } from "./event-name.ts";
import { type Field, type FieldContext, fieldsOf } from "./fields.ts";
import type { Tool } from "./tools.ts";
import { VaryFields } from "./vary.ts";

const INITIAL_DURATIONS: Partial<Readonly<Record<ActionName, string>>> = { gust: "3 s" };

export class InjectPopover {
  readonly node = element("form", "popover") as HTMLFormElement;
  readonly tool: Tool;
  private readonly store: Store;
  private readonly onClose: () => void;
  private readonly action = document.createElement("select");
  private readonly body = element("div", "fields");
  private readonly duration = document.createElement("input");
  private readonly value = document.createElement("input");
  private readonly text = element("pre", "added");
  private readonly vary: VaryFields;
  private readonly fly = element("button", "primary", "Fly it", keyHint("⏎"));
  private fields: Field[] = [];
  private readonly atUs: number;

  constructor(tool: Tool, store: Store, atUs: number, onClose: () => void) {
    this.tool = tool;
    this.store = store;
    this.onClose = onClose;
    this.atUs = atUs;
    this.vary = new VaryFields(() => this.update());
    this.node.setAttribute("role", "dialog");
    this.node.setAttribute("aria-label", `${tool.title} at ${this.atUs / 1e6} s`);
    this.build();
    this.chooseAction();
    this.listen();
  }

  focus(): void {
    this.node.querySelector<HTMLElement>("select:not([hidden]), .fields input, .fields select, .primary")?.focus();
  }

  /** Sets the velocity of a gust that the reader draws in the scene. */
  draw(velNedMps: readonly number[]): void {
    const rounded = velNedMps.map((value) => Number(value.toFixed(1)));
    this.fields.find(({ key }) => key === "velNedMps")?.write(rounded);
    this.update();
  }

  /** Makes the duration of a gust longer or shorter, in steps of 0.5 s. */
  changeDuration(steps: number): void {
    const seconds = Number.parseFloat(this.duration.value) || 1;
    this.duration.value = `${Math.max(0.5, seconds + 0.5 * steps)} s`;
    this.update();
  }

  async commit(): Promise<void> {
    const drafts = this.drafts();
    const free = this.freeText();
    if (drafts.length === 0 && free === undefined) return;
    this.close();
    if (free !== undefined) await this.branchWith(free);
    else if (drafts.length === 1) await this.store.inject([eventOf(drafts[0]!)], branchName(drafts[0]!));
    else {
      await this.store.sweep(
        drafts.map((draft) => ({ edit: { kind: "add", events: [eventOf(draft)] }, name: branchName(draft) })),
      );
    }
  }

  close(): void {
    this.store.preview(undefined);
    this.node.remove();
    this.onClose();
  }

  private build(): void {
    const { tool, action } = this;
    action.append(...tool.actions.map((name) => new Option(actionWords(name), name)));
    action.setAttribute("aria-label", "What happens");
    action.hidden = tool.actions.length === 1;
    this.duration.setAttribute("aria-label", "For how long");
    this.duration.placeholder = "the rest of the flight";
    this.value.setAttribute("aria-label", "Value");
    this.value.placeholder = 'kind = "dryden", w20Mps = 8';
    this.node.append(
      element(
        "header",
        "",
        element("h2", "", `${tool.title} at ${this.atUs / 1e6} s`),
        button("close", () => this.close()),
      ),
      action,
      this.body,
      this.vary.node,
      element("p", "adds", "adds to flight.toml:"),
      this.text,
      element("footer", "", this.fly),
    );
  }

  private listen(): void {
    this.action.addEventListener("change", () => this.chooseAction());
    this.node.addEventListener("input", () => this.update());
    this.node.addEventListener("change", () => this.update());
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.commit();
    });
    this.node.addEventListener("keydown", (event) => {
      // Handle Enter here, because a select element would handle it itself.
      const isChoosing = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
      if (event.key === "Enter" && isChoosing) {
        event.preventDefault();
        void this.commit();
      }
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
  }

  private get chosen(): ActionName {
    return this.action.value as ActionName;
  }

  private chooseAction(): void {
    const name = this.chosen;
    const table = ACTIONS[name].params as ParamTable;
    this.fields = fieldsOf(table, contextOf(this.store));
    this.duration.value = INITIAL_DURATIONS[name] ?? "";
    const draw = name === "gust" ? " Drag from the vehicle to draw it." : "";
    const about = element("p", "about", ACTIONS[name].about + draw);
    const fieldNodes = this.fields.map(({ node }) => node);
    if (takesFreeText(name)) fieldNodes.push(element("div", "field wide", this.value));
    if (isEffect(name))
      fieldNodes.push(
        element("div", "field", element("span", "field-name", "for"), this.duration, element("span", "unit")),
      );
    this.body.replaceChildren(about, ...fieldNodes);
    this.vary.offer(this.fields, table);
    this.update();
  }

  /** Shows the text that will be added, and requests a preview. */
  private update(): void {
    const drafts = this.drafts();
    const free = this.freeText();
    (this.fly as HTMLButtonElement).disabled = drafts.length === 0 && free === undefined;
    const first = drafts[0];
    this.text.textContent = free ?? (first === undefined ? "a value is missing" : eventToml(eventOf(first)).trimEnd());
    const count = drafts.length;
    this.fly.firstChild!.textContent = count > 1 ? `Fly all ${count}` : "Fly it";
    if (first !== undefined && free === undefined) this.store.preview([eventOf(first)], this.atUs);
  }

  /** Returns one draft, or one per value of a sweep; none if a value is missing. */
  private drafts(): Draft[] {
    if (takesFreeText(this.chosen)) return [];
    const params: Record<string, unknown> = {};
    for (const { key, read } of this.fields) params[key] = read();
    if (Object.values(params).includes(undefined)) return [];
    const table = ACTIONS[this.chosen].params as ParamTable;
    const given = Object.fromEntries(Object.entries(params).filter(([key, value]) => !isDefault(table, key, value)));
    const draft = { action: this.chosen, atUs: this.atUs, durationText: this.duration.value.trim() };
    return this.vary.variants(given as PlainObject).map((variant) => ({ ...draft, params: variant }));
  }

  /** Returns the event as text, for actions that change a whole section and have no parameter table. */
  private freeText(): string | undefined {
    if (!takesFreeText(this.chosen) || this.value.value.trim() === "") return undefined;
    return `[[scenario]]\nat = "${this.atUs / 1e6} s"\n${this.chosen} = { ${this.value.value.trim()} }`;
  }

  private async branchWith(event: string): Promise<void> {
    const head = this.store.state.active.peek()?.head.peek();
    if (head?.text === undefined) return;
    const text = `${head.text.trimEnd()}\n\n${event}\n`;
    await this.store.branch({ kind: "text", text, files: head.files }, `new ${this.chosen}`);
  }
}

function takesFreeText(name: ActionName): boolean {
  return isSetting(name) && name !== "reseed";
}

function isDefault(table: ParamTable, key: string, value: unknown): boolean {
  return JSON.stringify(table[key]?.default) === JSON.stringify(value);
}

/** Returns the autopilot's next tick at or after the playhead. */
export function nextTickUs({ state }: Store): number {
  const periodUs = state.active.peek()?.head.peek()?.autopilotPeriodUs ?? 0;
  const nowUs = state.nowUs.peek();
  return periodUs > 0 ? Math.ceil(nowUs / periodUs) * periodUs : nowUs;
}

function contextOf({ state }: Store): FieldContext {
  const { rotors = 4, batteries = 1, definition } = state.active.peek()?.head.peek() ?? {};
  const rotorPlacesM = (definition?.vehicle.rotors ?? []).map(
    ({ positionM }) => [positionM[0]!, positionM[1]!] as const,
  );
  return { rotors, rotorPlacesM, batteries, parameters: definition?.autopilot.parameters ?? {} };
}

/** Formats an action name: `motorLoss` becomes `motor loss`. */
function actionWords(name: ActionName): string {
  return name === "rtl" ? "return" : name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

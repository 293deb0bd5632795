/** A table of the numbers between the marks a and b, for every line of the plots. */
import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { element, numberText } from "../../shared/elements.ts";
import type { Frame } from "../frame.ts";
import type { Store } from "../store/store.ts";
import { seriesOf } from "../data/series.ts";
import { type Measured, measure } from "./measure.ts";

interface Row {
  readonly label: string;
  readonly unit: string;
  readonly measured: Measured;
}

export function makeMeasureTable(store: Store, frame: Frame): HTMLElement {
  const node = element("section", "measured");
  node.setAttribute("aria-label", "Measured between a and b");
  node.hidden = true;
  const { state } = store;
  const requestPaint = frame.part("rest", () => paint(node, store));
  effect(() => {
    void [state.marks.value, state.panels.value, state.active.value?.rowCount.value];
    requestPaint();
  });
  return node;
}

function paint(node: HTMLElement, store: Store): void {
  const { aUs, bUs } = store.state.marks.peek();
  node.hidden = aUs === undefined || bUs === undefined || aUs === bUs;
  if (aUs === undefined || bUs === undefined || node.hidden) return;
  const spanS = Math.abs(bUs - aUs) / 1e6;
  const rows = rowsBetween(store, Math.min(aUs, bUs), Math.max(aUs, bUs));
  const heads = ["", "Δ", "min", "max", "mean", "rms"];
  render(
    html`<p>
        <b>Δ ${spanS.toFixed(3)} s</b> ${numberText(1 / spanS, 3)} Hz
        <button @click=${() => (store.state.marks.value = {})}>remove the marks</button>
      </p>
      <table>
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(row)}
        </tbody>
      </table>`,
    node,
  );
}

function row({ label, unit, measured }: Row) {
  const { from, to, min, max, mean, rms, step } = measured;
  const numbers = [to - from, min, max, mean, rms].map((value) => numberText(value, 2));
  const stepText =
    step === undefined
      ? nothing
      : html`<tr class="step">
          <td colspan="6">
            rise ${step.riseS.toFixed(2)} s, overshoot ${(100 * step.overshoot).toFixed(0)} %, settled within 2 % after
            ${step.settlingS.toFixed(2)} s
          </td>
        </tr>`;
  return html`<tr>
      <th scope="row">${label} <small>${unit}</small></th>
      ${numbers.map((text) => html`<td>${text}</td>`)}
    </tr>
    ${stepText}`;
}

function rowsBetween(store: Store, fromUs: number, toUs: number): Row[] {
  const flight = store.state.active.peek();
  const rows = flight?.rows.peek();
  if (rows === undefined) return [];
  const [first, last] = [rows.rowAt(fromUs - 1) + 1, rows.rowAt(toUs)];
  const count = Math.max(0, last - first + 1);
  const timesS = Float64Array.from({ length: count }, (_, i) => rows.timeUs(first + i) / 1e6);
  const names = new Set(
    store.state.panels.peek().flatMap(({ kind, quantities }) => (kind === "time" ? quantities : [])),
  );
  return [...names].flatMap((name) => {
    const series = seriesOf(rows).get(name);
    if (series === undefined || series.quantity.isSetpoint || series.quantity.isCode) return [];
    const measured = measure(
      timesS,
      Float64Array.from({ length: count }, (_, i) => series.at(first + i)),
    );
    return measured === undefined ? [] : [{ label: series.quantity.label, unit: series.quantity.unit, measured }];
  });
}

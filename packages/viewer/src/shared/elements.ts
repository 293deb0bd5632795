/** Creates plain HTML elements. */
import { withMinus } from "./scales.ts";

export function element(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children);
  return node;
}

export function button(label: string, onClick: (self: HTMLElement) => void): HTMLElement {
  const node = element("button", "", label);
  node.addEventListener("click", () => onClick(node));
  return node;
}

/** Builds a table with a head; the first column holds the names of the rows. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], className: string): HTMLElement {
  const cell = (tag: string, text: string) => element(tag, "", text);
  return element(
    "table",
    className,
    element("thead", "", element("tr", "", ...head.map((text) => cell("th", text)))),
    element(
      "tbody",
      "",
      ...rows.map((row) => element("tr", "", ...row.map((text, i) => cell(i === 0 ? "th" : "td", text)))),
    ),
  );
}

/** Formats numbers of any magnitude in about the same width. */
export function numberText(value: number | undefined, digits = 3): string {
  if (value === undefined || !Number.isFinite(value)) return "—";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return withMinus(value.toExponential(1));
  return withMinus(value.toFixed(Math.max(0, digits - Math.max(0, Math.floor(Math.log10(Math.max(size, 1)))))));
}

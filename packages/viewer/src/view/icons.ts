/** Icons as SVG paths in a 20 × 20 box. They are drawn in the colour of the surrounding text. */

const ICONS = {
  logo: "M10 5.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6M10 1v4M10 15v4M1 10h4M15 10h4M3.6 3.6l2.9 2.9M13.5 13.5l2.9 2.9M16.4 3.6l-2.9 2.9M6.5 13.5l-2.9 2.9",
  start: "M5 4v12M16 4l-8 6 8 6z",
  play: "M6 3.5l10.5 6.5L6 16.5z",
  pause: "M6.5 4v12M13.5 4v12",
  back: "M13 4.5L5.5 10l7.5 5.5z",
  forward: "M7 4.5l7.5 5.5L7 15.5z",
  gust: "M2 8h9.5a2.4 2.4 0 1 0-2.3-3M2 11h13.2a2.2 2.2 0 1 1-2.1 2.8M2 14h6.5a1.9 1.9 0 1 1-1.8 2.5",
  wind: "M3 16L15 4M15 4h-5M15 4v5M3 8h4M3 11.5h2.5M12 16h4M13.5 12.5H17",
  motor: "M10 10L3.5 4.5c2.5-.6 5 .8 6.5 5.5zM10 10l6.5 5.5c-2.5.6-5-.8-6.5-5.5zM10 10l6-6.2M10 10l-6 6.2M10 10h.01",
  battery: "M3 6.5h12v7H3zM15 8.8h2v2.4h-2M6 9v2M9 9v2",
  sensor: "M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M5.2 14.8a6.8 6.8 0 0 1 0-9.6M14.8 5.2a6.8 6.8 0 0 1 0 9.6",
  tune: "M3 6h8M15 6h2M13 4v4M3 14h3M10 14h7M8 12v4",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  home: "M3.5 10L10 4l6.5 6M5.5 9v7h9V9",
  hold: "M7 4.5v11M13 4.5v11",
  land: "M10 3.5v9M6 9l4 4 4-4M4 16.5h12",
  takeoff: "M10 13V4M6 7.5l4-4 4 4M4 16.5h12",
  hand: "M10 11.5V6.5M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M3.5 12.5h13v4h-13z",
  open: "M10 13V4M6.5 10L10 13.5 13.5 10M4 16.5h12",
  close: "M5 5l10 10M15 5L5 15",
  plus: "M10 4v12M4 10h12",
  help: "M7.2 7.4a2.9 2.9 0 1 1 4.2 2.6c-.9.5-1.4 1-1.4 2M10 15.2h.01",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  undo: "M4 8h8a4 4 0 0 1 0 8H8M4 8l3.5-3.5M4 8l3.5 3.5",
  events: "M4 5h.01M8 5h8M4 10h.01M8 10h8M4 15h.01M8 15h8",
} as const;
export type IconName = keyof typeof ICONS;

const FILLED: readonly IconName[] = ["play", "back", "forward"];

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", FILLED.includes(name) ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

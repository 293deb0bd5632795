/** What is plotted of a flight, in reading order. */
import { colourOf } from "./colours.ts";
import type { FlightHead } from "./data.ts";

export interface Line {
  readonly label: string;
  readonly column: string;
  readonly colour: string;
  /** What was asked for: dashed, and left out where flights are compared. */
  readonly isSetpoint?: boolean;
}

export interface PlotSpec {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  /** Decades instead of steps, for errors. */
  readonly isLogarithmic?: boolean;
  /** Shows the values under the cursor beside the names of the lines. */
  readonly showsValues?: boolean;
  /** Values that differ by less fill no more than their share of the height; 0 for differences, which may be tiny. */
  readonly leastSpan?: number;
  /** Shades the spans in which motors are at their limits. */
  readonly showsSaturation?: boolean;
}

export function flightPlots({ rotors, columns }: FlightHead): PlotSpec[] {
  const line = (label: string, column: string, colour: number): Line => ({ label, column, colour: colourOf(colour) });
  const set = (column: string, colour: number, label = "set"): Line => ({
    ...line(label, column, colour),
    isSetpoint: true,
  });
  const axes = (column: string, setColumn: string, names: readonly string[]): Line[] => [
    ...names.map((name, i) => line(name, `${column}${i}`, i)),
    ...names.map((name, i) => set(`${setColumn}${i}`, i, `${name} set`)),
  ];
  const many = (label: string, column: string): Line[] =>
    columns
      .filter((name) => new RegExp(`^${column}\\d+$`).test(name))
      .map((name, i) => line(`${label} ${i + 1}`, name, i));
  const plots: PlotSpec[] = [
    { title: "altitude", unit: "m", lines: [line("altitude", "altitude", 0), set("setAltitude", 1)] },
    {
      title: "position",
      unit: "m",
      lines: [
        line("north", "north", 0),
        line("east", "east", 1),
        set("setNorth", 0, "north set"),
        set("setEast", 1, "east set"),
      ],
    },
    {
      title: "position error",
      unit: "m",
      lines: [line("from setpoint", "error", 1), line("estimate from truth", "estimateError", 0)],
    },
    {
      title: "speed",
      unit: "m/s",
      lines: [
        line("over ground", "groundSpeed", 0),
        line("climb", "climb", 2),
        set("setGroundSpeed", 0, "over ground set"),
        set("setClimb", 2, "climb set"),
      ],
    },
    { title: "attitude", unit: "°", lines: axes("att", "setAtt", ["roll", "pitch"]) },
    { title: "heading", unit: "°", lines: [line("yaw", "att2", 2), set("setAtt2", 2, "yaw set")] },
    { title: "rates", unit: "°/s", lines: axes("rate", "setRate", ["p", "q", "r"]) },
    { title: "motor commands", unit: "duty", lines: many("motor", "motor"), showsSaturation: true },
    { title: "rotor speeds", unit: "rad/s", lines: many("rotor", "rotor"), showsSaturation: true },
    { title: "battery voltage", unit: "V", lines: many("battery", "voltage") },
    { title: "battery current", unit: "A", lines: many("battery", "current") },
    { title: "charge left", unit: "%", lines: many("battery", "remaining") },
    { title: "wind", unit: "m/s", lines: ["north", "east", "down"].map((name, i) => line(name, `wind${i}`, i)) },
  ];
  return plots
    .filter(({ lines }) => lines.some(({ column }) => columns.includes(column)))
    .filter(({ showsSaturation }) => showsSaturation !== true || rotors > 0);
}

/** The plots of a flight page, in reading order. */
import { colourOf } from "../shared/colours.ts";
import type { FlightHead } from "./data.ts";

export interface Line {
  readonly label: string;
  readonly column: string;
  readonly colour: string;
  /** Setpoints are dashed, and omitted when flights are compared. */
  readonly isSetpoint?: boolean;
}

export interface PlotSpec {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  /** Whether the value axis is logarithmic, as for errors. */
  readonly isLogarithmic?: boolean;
  /** Whether the legend shows the values at the cursor. */
  readonly showsValues?: boolean;
  /** Minimum span of the value axis; 0 for differences, which may be tiny. */
  readonly minSpan?: number;
  /** Whether the spans in which motors are at their limits are shaded. */
  readonly showsSaturation?: boolean;
}

export function flightPlots({ rotors, columns, units }: FlightHead): PlotSpec[] {
  const line = (label: string, column: string, colour: number): Line => ({ label, column, colour: colourOf(colour) });
  const set = (column: string, colour: number, label = "setpoint"): Line => ({
    ...line(label, column, colour),
    isSetpoint: true,
  });
  const axes = (column: string, setColumn: string, names: readonly string[]): Line[] => [
    ...names.map((name, i) => line(name, `${column}${i}`, i)),
    ...names.map((name, i) => set(`${setColumn}${i}`, i, `${name} setpoint`)),
  ];
  const many = (label: string, column: string): Line[] =>
    columns
      .filter((name) => new RegExp(`^${column}\\d+$`).test(name))
      .map((name, i) => line(`${label} ${i + 1}`, name, i));
  const plots: Omit<PlotSpec, "unit">[] = [
    { title: "altitude", lines: [line("altitude", "altitude", 0), set("setAltitude", 1)] },
    {
      title: "position",

      lines: [
        line("north", "north", 0),
        line("east", "east", 1),
        set("setNorth", 0, "north setpoint"),
        set("setEast", 1, "east setpoint"),
      ],
    },
    {
      title: "position error",

      lines: [line("from setpoint", "error", 1), line("estimate from truth", "estimateError", 0)],
    },
    {
      title: "speed",

      lines: [
        line("ground speed", "groundSpeed", 0),
        line("climb", "climb", 2),
        set("setGroundSpeed", 0, "ground speed setpoint"),
        set("setClimb", 2, "climb setpoint"),
      ],
    },
    { title: "attitude", lines: axes("att", "setAtt", ["roll", "pitch"]) },
    { title: "heading", lines: [line("yaw", "att2", 2), set("setAtt2", 2, "yaw setpoint")] },
    { title: "rates", lines: axes("rate", "setRate", ["p", "q", "r"]) },
    { title: "motor commands", lines: many("motor", "motor"), showsSaturation: true },
    { title: "rotor speeds", lines: many("rotor", "rotor"), showsSaturation: true },
    { title: "battery voltage", lines: many("battery", "voltage") },
    { title: "battery current", lines: many("battery", "current") },
    { title: "charge left", lines: many("battery", "remaining") },
    { title: "wind", lines: ["north", "east", "down"].map((name, i) => line(name, `wind${i}`, i)) },
  ];
  return plots
    .filter(({ lines }) => lines.some(({ column }) => columns.includes(column)))
    .map((plot) => ({ ...plot, unit: units[plot.lines[0]!.column]! }))
    .filter(({ showsSaturation }) => showsSaturation !== true || rotors > 0);
}

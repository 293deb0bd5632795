/** The tools of the rail beside the scene, each with its key and the actions that it can inject. */
import { ACTION_NAMES, type ActionName } from "@escapement/core";
import type { Command } from "../commands.ts";
import type { IconName } from "../icons.ts";

export interface Tool {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly key: string;
  readonly icon: IconName;
  readonly actions: readonly ActionName[];
  /** Whether the event is added immediately, without a panel. */
  readonly isDirect?: boolean;
  /** Whether a line separates this tool from the one before it. */
  readonly startsGroup?: boolean;
}

export function toolCommand({ id, title, key, isDirect }: Tool, run: Command["run"]): Command {
  const words = title.charAt(0).toLowerCase() + title.slice(1);
  const label = isDirect === true ? `${words} from here` : `add ${words} …`;
  return { id, label, keys: [key], group: "events", run };
}

export const TOOLS: readonly Tool[] = [
  { id: "gust", label: "Gust", title: "A gust", key: "G", icon: "gust", actions: ["gust"] },
  { id: "wind", label: "Wind", title: "A change of wind", key: "W", icon: "wind", actions: ["windMean", "wind"] },
  {
    id: "motor",
    label: "Motor",
    title: "A motor fault",
    key: "M",
    icon: "motor",
    actions: [
      "motorOff",
      "motorLoss",
      "motorStuck",
      "motorNoise",
      "motorJam",
      "propellerChip",
      "propellerImbalance",
      "motorOn",
    ],
  },
  {
    id: "battery",
    label: "Battery",
    title: "A battery fault",
    key: "B",
    icon: "battery",
    actions: ["batteryOff", "batteryOn"],
  },
  { id: "sensor", label: "Sensor", title: "A sensor fault", key: "S", icon: "sensor", actions: ["sensorFault"] },
  { id: "tune", label: "Tune", title: "A change of parameter", key: "P", icon: "tune", actions: ["parameter"] },
  { id: "hand", label: "By hand", title: "Fly by hand", key: "J", icon: "hand", actions: ["sticks"], isDirect: true },
  { id: "other", label: "More", title: "Anything else", key: "I", icon: "more", actions: ACTION_NAMES },
  // Requests of a mode. Both groups have an even number of tools, because low scenes show two columns.
  {
    id: "rtl",
    label: "Return",
    title: "Return",
    key: "R",
    icon: "home",
    actions: ["rtl"],
    isDirect: true,
    startsGroup: true,
  },
  { id: "hold", label: "Hold", title: "Hold", key: "H", icon: "hold", actions: ["hold"], isDirect: true },
  { id: "land", label: "Land", title: "Land", key: "L", icon: "land", actions: ["land"], isDirect: true },
  {
    id: "takeoff",
    label: "Take off",
    title: "Take off",
    key: "K",
    icon: "takeoff",
    actions: ["takeoff"],
    isDirect: true,
  },
];

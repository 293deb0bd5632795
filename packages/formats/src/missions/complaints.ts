/** Core's complaints about a mission, with the file and the line that a reader knows. */
import { checkMission, missionErrors, type Mission, type MissionPlace, type Where } from "@escapement/core";
import type { Findings } from "../text/findings.ts";

export function complainAbout(
  mission: Mission,
  findings: Findings,
  locate: (place: MissionPlace) => Omit<Where, "file">,
): void {
  for (const { name, what, fix, place, fatal } of checkMission(mission)) {
    const where = locate(place);
    if (fatal) findings.error(missionErrors[name], what, fix, where);
    else findings.warn(missionErrors[name], what, fix, where);
  }
}

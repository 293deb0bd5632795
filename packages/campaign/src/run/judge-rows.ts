/** Judges rows again, e.g. after a merge. */
import type { CriterionSummary, Manifest, Row } from "@escapement/formats";
import { Tally } from "../criteria/tally.ts";
import { tellRows } from "../search/flown-points.ts";
import { contextOf, isSearch, makePlan } from "../spec/make-plan.ts";
import { Criteria } from "./criteria.ts";

/** Judges the criteria on all rows, which are read twice. A criterion stays open if flights are missing. */
export function judgeRows(manifest: Manifest, rows: Iterable<Row>, isComplete: boolean): readonly CriterionSummary[] {
  const vary = manifest.keys.map(({ key, distribution }) => ({ key, distribution }));
  const plan = makePlan(manifest.plan, contextOf({ vary, manifest }), manifest.requirements);
  const criteria = new Criteria(manifest, plan);
  const tally = new Tally(manifest.requirements, criteria.measures);
  for (const row of rows) tally.add(row);
  if (isSearch(plan)) tellRows(plan, rows);
  return criteria.judge(tally, tally.complete, isComplete);
}

/** Judges the rows of a journal again, e.g. after a merge. */
import type { CriterionSummary, Manifest } from "@escapement/formats";
import { Tally } from "../criteria/tally.ts";
import { rowsInOrder } from "../rows/journal.ts";
import { tellRows } from "../search/flown-points.ts";
import { contextOf, isSearch, makePlan } from "../spec/make-plan.ts";
import { Criteria } from "./criteria.ts";

/** Judges the criteria over all rows of a journal. Missing flights leave criteria open. */
export function judgeJournal(journal: string, manifest: Manifest, isComplete: boolean): readonly CriterionSummary[] {
  const vary = manifest.keys.map(({ key, distribution }) => ({ key, distribution }));
  const plan = makePlan(manifest.plan, contextOf({ vary, manifest }), manifest.requirements);
  const criteria = new Criteria(manifest, plan);
  const tally = new Tally(manifest.requirements, criteria.measures);
  for (const row of rowsInOrder(journal)) tally.add(row);
  if (isSearch(plan)) tellRows(plan, rowsInOrder(journal));
  return criteria.judge(tally, tally.complete, isComplete);
}

/**
 * Ids of the elements of a one-file page: the flights that it opens, and the parts from which it can be saved again.
 */
export const PAGE_IDS = { data: "data", engine: "engine", script: "page-script", style: "page-style" } as const;

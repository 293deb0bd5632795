/** The elements of a page that is one file: what it opens, and the parts from which it can be written again. */
export const PAGE_IDS = { data: "data", engine: "engine", script: "page-script", style: "page-style" } as const;

/**
 * The script of a report page: reads the data blocks in the document and builds the page from them.
 *
 * It uses plain elements; the only library draws the plots.
 */
import "../shared/language.ts";
import { readBlocks } from "../shared/page-blocks.ts";
import { buildComparisonPage } from "./comparison-page.ts";
import { buildFlightPage } from "./flight-page.ts";
import { buildFlightsPage } from "./flights-page.ts";
import { float32Values } from "./float32.ts";
import { openViewer } from "./fly-this.ts";
import type { AnyHead } from "./html.ts";
import { Table } from "./table.ts";

// If the address selects the viewer, the viewer replaces the report.
const page = openViewer() ? null : document.getElementById("page");
const blocks = readBlocks(document);
const heads = blocks.map(({ head }) => head as AnyHead);
const tables = blocks.map(({ bytes }, i) => new Table(heads[i]!, float32Values(bytes)));
const [first] = heads;
if (page !== null && first?.kind === "integrators") buildComparisonPage(page, first, tables[0]!);
else if (page !== null && first !== undefined) {
  const flights = heads.filter((head) => head.kind === "flight");
  if (flights.length === 1) buildFlightPage(page, flights[0]!, tables[0]!);
  else buildFlightsPage(page, flights, tables);
}

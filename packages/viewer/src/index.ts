/** What the command needs of the viewer: the report's data and its page. */
export { makeReport, type Report, type ReportHead, type ReportSource } from "./report/data.ts";
export { reportHtml, type PageAssets } from "./report/html.ts";

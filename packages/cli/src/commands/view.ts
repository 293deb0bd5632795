/** `escapement view`: opens the viewer in a browser, or writes it as one file. */
import { spawn } from "node:child_process";
import { basename } from "node:path";
import type { Command } from "commander";
import { singleHtml, VIEW_MARK } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { readBytes } from "../load/read-files.ts";
import { checkEnding, checkNames, hasMark, writeWhole } from "../outputs/files.ts";
import { viewerFolder, viewerParts } from "../outputs/viewer-parts.ts";
import { printError } from "../print/error.ts";
import { printWritten } from "../print/written.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";
import { bundleFlight, fileBase64, isDescription } from "../view-server/bundle.ts";
import { type Live, openLive } from "../view-server/fly-live.ts";
import { ViewServer } from "../view-server/server.ts";

interface ViewFlags {
  readonly save?: string;
  readonly live?: true;
  readonly autopilot?: string;
  readonly pace: string;
  readonly port: string;
  readonly open: boolean;
  readonly readOnly?: true;
  readonly overwrite?: true;
  readonly json?: true;
}

const MAX_PACE = 100;

export function addView(program: Command): void {
  program
    .command("view")
    .description("open flights, recordings and logs in the browser, and simulate them there")
    .argument(
      "[files...]",
      "built-in flights, flight files, flights of campaigns (gusts.campaign.toml#411), recordings or logs",
    )
    .option("--save <file.html>", "write the page as one file that opens without a server")
    .option("--live", "fly one flight in this process, by default in real time, and show it while it flies")
    .option("--autopilot <kind>", "with --live: a different autopilot, embedded or px4-sitl")
    .option("--pace <factor>", "with --live: flight seconds per second", "1")
    .option("--port <n>", "port on this machine; 0 chooses a free one", "0")
    .option("--no-open", "print the address without starting a browser")
    .option("--read-only", "do not let the page write flight files")
    .option("--overwrite", "replace a file that is not an Escapement page")
    .option("--json", "print the address, or what was written, as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  escapement view\n  escapement view gusty.toml\n  escapement view a.mcap b.ulg\n  escapement view --live mission\n  escapement view --save mission.html mission",
    )
    .action(async (given: readonly string[], flags: ViewFlags) => {
      const { withNumberedFiles } = await import("../view-server/numbered-files.ts");
      const names = await withNumberedFiles(given, registry);
      for (const name of names) checkReadable(name);
      if (flags.save !== undefined) savePage(flags.save, names, flags);
      else if (flags.live === true) await serve([], flags, await openLiveFlight(names, flags));
      else await serve(names, flags);
    });
}

/** Reports a missing file before a browser opens. */
function checkReadable(name: string): void {
  if (isDescription(name)) bundleFlight(name, registry);
  else readBytes(name, "check the path");
}

function savePage(path: string, names: readonly string[], flags: ViewFlags): void {
  const mayReplace = flags.overwrite === true || hasMark(path, VIEW_MARK);
  checkEnding(path, ".html", "the page");
  checkNames([path], mayReplace);
  const flights = names.filter(isDescription).map((name) => bundleFlight(name, registry));
  const others = names.filter((name) => !isDescription(name));
  const files = others.map((name) => ({ name: basename(name), base64: fileBase64(name) }));
  const html = singleHtml({ ...viewerParts(), version: VERSION, data: { flights, files } });
  const bytes = writeWhole(path, html, mayReplace);
  printWritten({ path, kind: "page", bytes }, flags.json === true);
}

/** Opens the flight that is flown in this process. */
function openLiveFlight(names: readonly string[], { autopilot, pace }: ViewFlags): Promise<Live> {
  const [name] = names;
  if (name === undefined || names.length > 1 || !isDescription(name)) {
    throw cliErrors.badCount({
      what: `--live cannot show ${names.length === 1 ? names[0] : `${names.length} files`}`,
      fix: "name one built-in flight or flight file",
    });
  }
  const factor = Number(pace);
  if (!(factor > 0) || factor > MAX_PACE) {
    throw cliErrors.badCount({
      what: `--pace ${pace} is out of range`,
      fix: `use a number above 0, up to ${MAX_PACE}`,
    });
  }
  return openLive(name, { registry, pace: factor, ...(autopilot === undefined ? {} : { autopilot }) });
}

async function serve(names: readonly string[], flags: ViewFlags, live?: Live): Promise<void> {
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw cliErrors.badCount({ what: `--port ${flags.port} is not a port`, fix: "use 0 to 65535" });
  }
  const shown = live === undefined ? {} : { live: live.hub };
  const options = { folder: viewerFolder(), names, registry, port, isReadOnly: flags.readOnly === true, ...shown };
  const server = await startServer(options);
  live?.start((error) => {
    printError(error);
    process.exitCode = EXIT.failed;
  });
  const { url } = server;
  const text = flags.json === true ? JSON.stringify({ url, pid: process.pid }) : `${url}\n\nCtrl-C ends the server.`;
  process.stdout.write(`${text}\n`);
  if (flags.open) openBrowser(url);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await live?.stop();
  await server.close();
}

async function startServer(options: Parameters<typeof ViewServer.start>[0]): Promise<ViewServer> {
  try {
    return await ViewServer.start(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw cliErrors.badCount({
      what: `port ${options.port} cannot be used (${code})`,
      fix: "choose another port, or let --port 0 choose a free one",
      cause: error,
    });
  }
}

/** Starts the system's browser. If there is none, the user can open the printed address. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  const child = spawn(command!, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/**
 * Parses values typed on the command line. `--set key=value` assigns to a key of the flight: `wind.kind`,
 * `scenario[2].at`, `scenario.engineOut.at`; values are in TOML syntax.
 *
 * A value that is not valid TOML is taken as a string, so that `--set wind.kind=none` needs no quotes.
 */
import {
  assignedSpec,
  type Assignment,
  mustResolve,
  parseKeyPath,
  type Registry,
  type ReplayFlightOptions,
  resolveFlight,
  SimError,
} from "@escapement/core";
import { readFlightText } from "@escapement/formats";
import { cliErrors, COMMAND_LINE } from "../errors.ts";

export function parseOverrides(texts: readonly string[]): Assignment[] {
  return texts.map((text) => {
    const at = text.indexOf("=");
    const path = at < 0 ? undefined : parseKeyPath(text.slice(0, at).trim());
    if (path === undefined) {
      throw cliErrors.badSet({
        what: `--set ${text} is not key=value`,
        fix: "write e.g. --set wind.kind=none --set vehicle.massKg=1.6 --set 'vehicle.batteries[0].soc=0.5'",
      });
    }
    return { path, value: valueOf(text.slice(at + 1).trim()) };
  });
}

function valueOf(text: string): unknown {
  try {
    return readFlightText(`value = ${text}`, "--set.toml").object["value"];
  } catch (error) {
    if (error instanceof SimError) return text;
    throw error;
  }
}

/** Parses `rk45` or `rk45:toleranceScale=0.01,maxStepUs=2000`, and resolves it like a flight's integrator. */
export function parseIntegrator(text: string, parts: Registry): NonNullable<ReplayFlightOptions["integrator"]> {
  const [kind = "", rest = ""] = text.split(/:(.*)/s);
  const assignments = parseOverrides(rest === "" ? [] : rest.split(","));
  const params = assignedSpec(assignments, () => ({ spec: {}, filled: undefined }), COMMAND_LINE);
  return mustResolve(resolveFlight({ file: COMMAND_LINE, spec: { integrator: { kind, ...params } } }, parts)).definition
    .integrator;
}

/** `escapement fit propeller`: fits the blade of a vehicle to measured coefficients of a propeller. */
import { Argument, type Command } from "commander";
import { fitPropeller, type PropellerRow } from "@escapement/core";
import { readPropeller } from "@escapement/formats";
import { cliErrors } from "../errors.ts";
import { readBytes } from "../load/read-files.ts";
import { bladeToml, propellerText } from "../print/fit.ts";
import { styleFor } from "../print/style.ts";
import { numberOf } from "./number-flags.ts";

interface FitFlags {
  readonly diameter: string;
  readonly blades?: string;
  readonly solidity?: string;
  readonly density?: string;
  readonly rpm?: string;
  readonly toml?: true;
  readonly json?: true;
}

export function addFit(program: Command): void {
  program
    .command("fit")
    .description("fit the blade of a vehicle to measurements of a propeller")
    .addArgument(new Argument("<what>", "what to fit").choices(["propeller"]))
    .argument("<files...>", "tables with columns RPM or J, CT and CP, as in the UIUC Propeller Database")
    .requiredOption("--diameter <m>", "diameter of the propeller")
    .option("--blades <n>", "number of blades (default: 2)")
    .option(
      "--solidity <ratio>",
      "blades times chord at 75 % of the radius, divided by π times the radius (default: 0.125)",
    )
    .option("--density <kg/m3>", "density of the air in the test (default: 1.225)")
    .option("--rpm <rpm>", "rotor speed of files without a column RPM; by default the last number of the file name")
    .option("--toml", "print only the parameters, for a flight file")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nRows with less than a tenth of the largest thrust are compared but not fitted.\n" +
        "\nExamples:\n  escapement fit propeller static.txt tunnel_6512.txt --diameter 0.254\n" +
        "  escapement fit propeller mine.csv --diameter 0.33 --blades 3 --toml",
    )
    .action((_what: string, files: readonly string[], flags: FitFlags) => runPropeller(files, flags));
}

function runPropeller(files: readonly string[], flags: FitFlags): void {
  const options = {
    diameterM: numberOf("--diameter", flags.diameter, 0.01, 20),
    ...(flags.blades === undefined ? {} : { blades: numberOf("--blades", flags.blades, 1, 12) }),
    ...(flags.solidity === undefined ? {} : { solidity: numberOf("--solidity", flags.solidity, 0.005, 0.9) }),
    ...(flags.density === undefined ? {} : { densityKgM3: numberOf("--density", flags.density, 0.01, 10) }),
  };
  const rpm = flags.rpm === undefined ? undefined : numberOf("--rpm", flags.rpm, 1, 200_000);
  const rows = files.flatMap((file): readonly PropellerRow[] => {
    const { value, errors } = readPropeller(readBytes(file, "check the path of the measurements"), file, rpm);
    if (value !== undefined) return value;
    if (errors.length === 1) throw errors[0]!;
    throw cliErrors.badMeasurements({
      what: `${errors.length} errors:\n${errors.map(({ message }) => `  ${message}`).join("\n")}`,
      where: { file },
      fix: "fix all of them; nothing was fitted",
      cause: errors,
    });
  });
  const fit = fitPropeller(rows, options);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(fit, null, 2)}\n`);
  else if (flags.toml === true) process.stdout.write(bladeToml(fit, options));
  else process.stdout.write(`${propellerText(fit, options, styleFor(process.stdout, process.env))}\n`);
}

/** A picture of a flight as a file: SVG, or PNG of the same drawing. */
import { extname } from "node:path";
import type { FlightResult } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { flightPicture } from "../picture/flight-picture.ts";
import { toPng } from "../picture/png.ts";
import { toSvg } from "../picture/svg.ts";
import { writeWhole } from "./whole-file.ts";

type PictureKind = "svg" | "png";

/** The kind by the name's ending; throws a typed error if the ending is unknown. */
export function pictureKind(path: string): PictureKind {
  const ending = extname(path).toLowerCase();
  if (ending === ".svg" || ending === ".png") return ending.slice(1) as PictureKind;
  throw cliErrors.unknownPicture({
    what: "the name does not say what kind of picture it is",
    where: { file: path },
    fix: "let it end in .svg or .png",
  });
}

export function writePicture(path: string, result: FlightResult, overwrite: boolean): void {
  const picture = flightPicture(result);
  writeWhole(path, pictureKind(path) === "svg" ? toSvg(picture) : toPng(picture), overwrite);
}

/** Rows of the environment: atmosphere, gravity, geodesy, magnetic field, wind, and the body over a rotating Earth. */
import { readFileSync } from "node:fs";
import { checkParams } from "../../packages/core/src/params/index.ts";
import { atmosphereKinds } from "../../packages/core/src/world/atmosphere/index.ts";
import { gravityAt } from "../../packages/core/src/world/environment.ts";
import {
  degToRad,
  DEFAULT_ORIGIN,
  Ellipsoid,
  projectionKinds,
  radToDeg,
  WGS84,
} from "../../packages/core/src/world/geodesy/index.ts";
import { gravityKinds } from "../../packages/core/src/world/gravity/index.ts";
import { MagneticModel, magneticElementsInto } from "../../packages/core/src/world/magnetic/index.ts";
import { RandomStream } from "../../packages/core/src/random/index.ts";
import { windKinds } from "../../packages/core/src/sources/wind/index.ts";
import { flyCase, historyComparisons, publishedRanges } from "../physics/nasa-check-cases.ts";
import type { Basis, ValidationRow } from "./row.ts";

export function environmentRows(): ValidationRow[] {
  return [
    ...standardAtmosphere(),
    ...referenceAtmosphere(),
    ...gravity(),
    ...geodesy(),
    ...magneticField(),
    ...ornsteinUhlenbeck(),
    ...checkCases(),
    ...checkHistories(),
  ];
}

const REFERENCE = "reference simulator";

function basisOf(source: string): Basis {
  if (source === REFERENCE) return "simulator";
  return source.endsWith("computed independently") || source.startsWith("GM/") ? "theory" : "published";
}

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8")
    .trim()
    .split(/\r?\n/);

function sampleAir(name: string, altitudeM: number): Float64Array {
  const kind = atmosphereKinds.find((one) => one.name === name)!;
  const air = new Float64Array(3);
  kind.make(checkParams(kind.params, {}, []) as never).sampleInto(air, Float64Array.of(altitudeM));
  return air;
}

/** Returns half a unit of the last printed digit of a number with `digits` significant digits. */
const halfUnit = (value: number, digits: number) =>
  0.501 * 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);

function standardAtmosphere(): ValidationRow[] {
  const row = (h: number, what: string, published: number, ours: number, unit: string, tolerance: number) => ({
    area: "Atmosphere (us76)",
    quantity: `${what} at ${h} m`,
    source: "U.S. Standard Atmosphere 1976",
    published,
    ours,
    tolerance,
    unit,
  });
  return fixture("us76.csv")
    .slice(1)
    .flatMap((line) => {
      const [h, , temperature, pressure, density] = line.split(",").map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      const air = sampleAir("us76", h);
      return [
        row(h, "temperature", temperature, air[1]!, "K", 0.501e-4),
        row(h, "pressure", pressure, air[2]!, "Pa", halfUnit(pressure, 6)),
        row(h, "density", density, air[0]!, "kg/m3", halfUnit(density, 6)),
      ];
    });
}

/** Golden numbers of the reference simulator: altitude, temperature, pressure and density, as far as printed. */
const REFERENCE_AIR: readonly (readonly [h: number, temperature: number, pressure: number, density: number])[] = [
  [0, 288.15, 101325, 1.22500001812],
  [488, 284.978, 95598.2793491, 1.16862950772],
  [1000, 281.65, 89874.5629162, 1.11164250031],
  [1488, 0, 0, 1.05932945198],
  [2488, 0, 0, 0.958027546432],
  [3488, 0, 0, 0.864308857071],
  [5000, 255.65, 54019.8881881, 0.736115547399],
  [11000, 216.65, 22632.040095, 0.363917648102],
  [15000, 0, 12044.5528072, 0.193673451956],
  [20000, 0, 5474.87742428, 0.0880346847887],
];

function referenceAtmosphere(): ValidationRow[] {
  return REFERENCE_AIR.flatMap(([h, temperature, pressure, density]) => {
    const air = sampleAir("isa-reference", h);
    const columns = [
      ["temperature", temperature, air[1]!, "K"],
      ["pressure", pressure, air[2]!, "Pa"],
      ["density", density, air[0]!, "kg/m3"],
    ] as const;
    return columns
      .filter(([, published]) => published !== 0)
      .map(([what, published, ours, unit]) => ({
        area: "Atmosphere (isa-reference)",
        quantity: `${what} at ${h} m`,
        source: REFERENCE,
        basis: "simulator" as const,
        published,
        ours,
        tolerance: halfUnit(published, 12),
        unit,
      }));
  });
}

function gravity(): ValidationRow[] {
  const at = (name: string, altitudeM: number, latDeg: number) => {
    const kind = gravityKinds.find((one) => one.name === name)!;
    const origin = { latDeg, lonDeg: 0, altMslM: 488 };
    return gravityAt(kind.make(checkParams(kind.params, {}, []) as never, { origin }), altitudeM);
  };
  const row = (quantity: string, source: string, published: number, ours: number, tolerance: number) => ({
    area: "Gravity",
    quantity,
    source,
    basis: basisOf(source),
    published,
    ours,
    tolerance,
    unit: "m/s2",
  });
  const home = DEFAULT_ORIGIN.latDeg;
  const tr8350 = "NIMA TR8350.2, table 3.4";
  return [
    row("gravity wgs84 at the equator", tr8350, 9.7803253359, at("wgs84", 0, 0), 1e-12),
    row("gravity wgs84 at the pole", tr8350, 9.8321849378, at("wgs84", 0, 90), 2e-10),
    row(
      "gravity wgs84 at the default origin, 0 m",
      "Somigliana's formula, computed independently",
      9.808366,
      at("wgs84", 0, home),
      5.01e-7,
    ),
    row(
      "gravity wgs84 at the default origin, 488 m",
      "TR8350.2, equation 4-3, computed independently",
      9.80686,
      at("wgs84", 488, home),
      5.01e-7,
    ),
    row("gravity spherical at 0 m", REFERENCE, 9.820250487, at("spherical", 0, home), 5.01e-10),
    row(
      "gravity spherical-reference at the default origin, 488 m, which ignores the altitude",
      REFERENCE,
      9.820250487,
      at("spherical-reference", 488, home),
      5.01e-10,
    ),
    row("gravity spherical at 488 m", "GM/(r + h)²", 3.986004418e14 / 6371488 ** 2, at("spherical", 488, home), 1e-13),
    row("gravity uniform", "standard gravity", 9.80665, at("uniform", 488, home), 0),
  ];
}

function geodesy(): ValidationRow[] {
  const earth = new Ellipsoid(WGS84);
  const latRad = degToRad(DEFAULT_ORIGIN.latDeg);
  const meridianM = earth.meridianRadiusM(latRad);
  const verticalM = earth.primeVerticalRadiusM(latRad);
  const geodetic = new Float64Array(3);
  projectionKinds
    .find((kind) => kind.name === "reference")!
    .make({}, { origin: DEFAULT_ORIGIN })
    .toGeodeticInto(geodetic, [100, 50, -20]);
  const row = (quantity: string, source: string, published: number, ours: number, tolerance: number, unit: string) => ({
    area: "Geodesy",
    quantity,
    source,
    basis: basisOf(source),
    published,
    ours,
    tolerance,
    unit,
  });
  const lat = DEFAULT_ORIGIN.latDeg + radToDeg(100 / meridianM);
  const lon = DEFAULT_ORIGIN.lonDeg + radToDeg(50 / (verticalM * Math.cos(latRad)));
  return [
    row("semi-minor axis of WGS-84", "NIMA TR8350.2, table 3.3", 6356752.3142, earth.semiMinorM, 5.01e-5, "m"),
    row("meridian radius at the default origin", "WGS-84, computed independently", 6370064.34, meridianM, 5.01e-4, "m"),
    row(
      "prime-vertical radius at the default origin",
      "WGS-84, computed independently",
      6389735.352,
      verticalM,
      5.01e-4,
      "m",
    ),
    row(
      "latitude 100 m north of the default origin, from these radii",
      "WGS-84, computed independently",
      47.39864145370178,
      lat,
      2e-14,
      "deg",
    ),
    row(
      "longitude 50 m east of the default origin, from these radii",
      "WGS-84, computed independently",
      8.546256341637575,
      lon,
      2e-14,
      "deg",
    ),
    row("projection reference, latitude of (100, 50, −20)", REFERENCE, 47.398640315284119, geodetic[0]!, 2e-14, "deg"),
    row("projection reference, longitude of (100, 50, −20)", REFERENCE, 8.5462575460757293, geodetic[1]!, 2e-14, "deg"),
    row("projection reference, altitude of (100, 50, −20)", REFERENCE, 508, geodetic[2]!, 0, "m"),
  ];
}

// Names, units and tolerances of fields 5 to 18 of the test values. The published north component is off by up to
// 0.0005 nT; see the test of the model.
const MAGNETIC: readonly (readonly [what: string, unit: string, tolerance: number])[] = [
  ["declination", "deg", 0.00501],
  ["inclination", "deg", 0.00501],
  ["H", "nT", 1e-3],
  ["X", "nT", 1e-3],
  ["Y", "nT", 5.01e-7],
  ["Z", "nT", 2.5e-6],
  ["F", "nT", 1e-3],
  ["change of declination", "deg/year", 5.01e-7],
  ["change of inclination", "deg/year", 5.01e-7],
  ["change of H", "nT/year", 1.5e-6],
  ["change of X", "nT/year", 1.5e-6],
  ["change of Y", "nT/year", 5.01e-7],
  ["change of Z", "nT/year", 5.01e-7],
  ["change of F", "nT/year", 1.5e-6],
];

function magneticField(): ValidationRow[] {
  const points = fixture("wmm2025-test-values.txt").filter((line) => !line.startsWith("#"));
  return points.flatMap((line) => {
    const fields = line.trim().split(/\s+/).map(Number);
    const [year, altitudeKm, latDeg, lonDeg] = fields as [number, number, number, number];
    const ours = magneticValues(year, [latDeg, lonDeg, altitudeKm * 1000]);
    return MAGNETIC.map(([what, unit, tolerance], i) => ({
      area: "Magnetic field (WMM2025)",
      quantity: `${what} at ${latDeg}°, ${lonDeg}°, ${altitudeKm} km, ${year}`,
      source: "NOAA/NCEI, test values of WMM2025",
      published: fields[4 + i]!,
      ours: ours[i]!,
      tolerance,
      unit,
    }));
  });
}

function magneticValues(decimalYear: number, place: readonly number[]): number[] {
  const model = new MagneticModel({ decimalYear });
  const field = new Float64Array(3);
  const change = new Float64Array(3);
  const elements = new Float64Array(4);
  model.fieldNedInto(field, place);
  model.changeNedInto(change, place);
  magneticElementsInto(elements, field);
  const [h, f, declination, inclination] = [...elements] as [number, number, number, number];
  const [x, y, z] = [...field] as [number, number, number];
  const [dx, dy, dz] = [...change] as [number, number, number];
  const dh = (x * dx + y * dy) / h;
  const turn = radToDeg((x * dy - y * dx) / (h * h));
  const dip = radToDeg((h * dz - z * dh) / (f * f));
  return [declination, inclination, h, x, y, z, f, turn, dip, dh, dx, dy, dz, (x * dx + y * dy + z * dz) / f];
}

/** Derives φ and s of one step from the model's output: it moves from zero to s·ξ₁, and from there to φ·v + s·ξ₂. */
function ornsteinUhlenbeck(): ValidationRow[] {
  const ou = windKinds.find((kind) => kind.name === "ou")!;
  const cases = [
    [0.1, 5, 0.9801986733067553, 0.1980165671040606],
    [0.001, 3, 0.9996667222160499, 0.0258155862575096],
  ] as const;
  return cases.flatMap(([dtS, tauS, phi, s]) => {
    const params = checkParams(ou.params, { sigmaNedMps: [1, 1, 1], tauS, start: "zero" }, []);
    const model = ou.make(params as never, { seed: 1, periodUs: dtS * 1e6 });
    const random = new RandomStream(1, "wind/n");
    const out = new Float64Array(3);
    const sight = { clock: { us: 0, s: 0 }, posNed: out, velNed: out, meanNed: out };
    const values = [0, 1, 2].map(() => {
      model.sampleInto(out, sight);
      return out[0]!;
    });
    const draws = [random.gaussian(), random.gaussian(), random.gaussian()];
    const ourS = values[1]! / draws[1]!;
    const row = (what: string, published: number, ours: number) => ({
      area: "Wind (Ornstein–Uhlenbeck)",
      quantity: `Ornstein–Uhlenbeck wind with τ ${tauS} s, after ${dtS} s: ${what}`,
      source: REFERENCE,
      basis: "simulator" as const,
      published,
      ours,
      tolerance: 1e-12 * published,
      unit: "1",
    });
    return [
      row("part of the wind that remains", phi, (values[2]! - ourS * draws[2]!) / values[1]!),
      row("standard deviation of the added random part, relative to that of the wind", s, ourS),
    ];
  });
}

/** Compares with the middle of the range of sims 04 to 06; the tolerance is half the range plus the slack. */
function checkCases(): ValidationRow[] {
  const reports = new Map([1, 2, 4, 6, 9].map((number) => [number, flyCase(number)]));
  return publishedRanges().map(({ case: number, column, low, high, slack }) => ({
    area: "Rigid body over a turning Earth (NASA check cases)",
    quantity: `case ${number}, ${column} at 30 s`,
    source: "NASA/TM-2015-218675, sims 04 to 06 (middle of their range)",
    basis: "range",
    published: (low + high) / 2,
    ours: reports.get(number)![column],
    tolerance: (high - low) / 2 + slack,
    unit: unitOf(column),
  }));
}

/** Compares with the middle of the range of all tools that report a column. */
function checkHistories(): ValidationRow[] {
  return historyComparisons().map(({ case: number, timeS, column, low, high, slack, ours }) => ({
    area: "History of a rigid body over a turning Earth (NASA check cases)",
    quantity: `case ${number}, ${column} at ${timeS} s`,
    source: "NASA/TM-2015-218675, all tools (middle of their range)",
    basis: "range",
    published: (low + high) / 2,
    ours,
    tolerance: (high - low) / 2 + slack,
    unit: unitOf(column),
  }));
}

function unitOf(column: string): string {
  const [, unit] = /_(ft_s2|ft_s|ft|deg_s|deg|slug_ft3)(?:_|$)/.exec(column)!;
  return { ft: "ft", ft_s: "ft/s", ft_s2: "ft/s2", deg: "deg", deg_s: "deg/s", slug_ft3: "slug/ft3" }[unit!]!;
}

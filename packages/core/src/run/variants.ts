/**
 * Plant, integrator and code of a flight. The scenario may change the vehicle or the integrator. Then each combination
 * of changes gets its own plant, code and integrator, which are built when the combination first becomes active.
 */
import { ALL_BITS, type FlightParts, inputLayout } from "../engine/index.ts";
import { SwitchedIntegrator } from "../integrate/index.ts";
import { buildIntegrator, buildPlant } from "../describe/build/build-parts.ts";
import type { FlightDefinition } from "../describe/definition/definition.ts";
import type { Registry } from "../describe/registry.ts";
import { definitionAt, relevantBits, settingChanges } from "../describe/build/setting-changes.ts";
import type { Multirotor } from "../multirotor/plant.ts";
import { SwitchedMultirotor } from "../multirotor/switched-plant.ts";
import { codeFor } from "./code.ts";

type PlantParts = Required<Pick<FlightParts, "plant" | "integrator" | "code">>;

/** @param plant the plant of the definition without changes */
export function plantParts(
  definition: FlightDefinition,
  registry: Registry,
  plant: Multirotor,
  codegen?: boolean,
): PlantParts {
  const changes = settingChanges(definition.scenario);
  const relevant = relevantBits(changes, ["vehicle", "integrator"]);
  const code = codeFor(plant, codegen);
  if (relevant(ALL_BITS) === 0) {
    return {
      plant,
      integrator: (context) => buildIntegrator(registry, definition.integrator, code.addTo(context)),
      code,
    };
  }
  const at = (mask: number) => definitionAt(definition, mask, registry);
  const integrators = changes.filter(({ action }) => action === "integrator");
  const ofVehicle = relevantBits(changes, ["vehicle"]);
  const built = new Map([[0, { plant, code }]]);
  const variantAt = (mask: number) => {
    const key = ofVehicle(mask);
    const known = built.get(key);
    if (known !== undefined) return known;
    const variant = buildPlant(at(key), registry);
    const added = { plant: variant, code: codeFor(variant, codegen) };
    built.set(key, added);
    return added;
  };
  return {
    plant: ofVehicle(ALL_BITS) === 0 ? plant : new SwitchedMultirotor((mask) => variantAt(mask).plant),
    integrator: ({ u }) =>
      new SwitchedIntegrator({
        u,
        maskAt: inputLayout(plant.dims).offsets.settingChanges,
        relevant,
        make: (mask) => {
          const variant = variantAt(mask);
          return buildIntegrator(registry, at(mask).integrator, variant.code.addTo({ plant: variant.plant, u }));
        },
        memorySize: Math.max(
          ...[0, ...integrators.map(({ bit }) => bit)].map(
            (mask) => buildIntegrator(registry, at(mask).integrator, { plant, u }).memorySize,
          ),
        ),
      }),
    code: {
      get text() {
        return [...new Set([...built.values()].map((variant) => variant.code.text))].join("; ");
      },
    },
  };
}

/** Conditions are parsed, or rejected with the error and the most similar name. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPARATORS, conditionText, crossingOf, holds, parseCondition, type Condition } from "./condition.ts";
import { isStateQuantity, QUANTITY_NAMES } from "../../quantities/index.ts";

describe("parseCondition", () => {
  it.each([
    ["altitudeM > 10", [{ quantity: "altitudeM", comparator: ">", value: 10 }]],
    ["  altitudeM>=-1.5e1  ", [{ quantity: "altitudeM", comparator: ">=", value: -15 }]],
    [
      "armed == 1 and missionItem <= 3",
      [
        { quantity: "armed", comparator: "==", value: 1 },
        { quantity: "missionItem", comparator: "<=", value: 3 },
      ],
    ],
  ])("parses %j", (text, expected) => {
    expect(parseCondition(text)).toEqual(expected);
  });

  it.each([
    ["", '"" is not a comparison', "altitudeM > 10"],
    ["altitudeM", '"altitudeM" is not a comparison', "altitudeM > 10"],
    ["altitudeM = 10", '"altitudeM = 10" is not a comparison', "=="],
    ["1 < altitudeM < 2", "is not a comparison", ">"],
    ["altitude > 10", '"altitude" is not a quantity', 'did you mean "altitudeM"?'],
    ["frequency > 10", '"frequency" is not a quantity', "one of: altitudeM"],
    ["altitudeM > high", '"high" is not a number', "finite"],
    ["altitudeM > Infinity", '"Infinity" is not a number', "finite"],
    ["altitudeM >", '"" is not a number', "finite"],
    ["altitudeM > 1 or armed == 1", '"altitudeM > 1 or armed == 1" is not a comparison', ">"],
    ["altitudeM > 1 and", '"1 and" is not a number', "finite"],
  ])("rejects %j", (text, what, fix) => {
    const fault = parseCondition(text) as { what: string; fix: string };
    expect(fault.what).toContain(what);
    expect(fault.fix).toContain(fix);
  });

  it("parses the text that it writes", () => {
    const comparison = fc.record({
      quantity: fc.constantFrom(...QUANTITY_NAMES),
      comparator: fc.constantFrom(...COMPARATORS),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    });
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 4 }), (condition) => {
        expect(parseCondition(conditionText(condition as Condition))).toEqual(condition);
      }),
    );
  });

  it("never throws", () => {
    const soup = fc
      .array(fc.constantFrom(...COMPARATORS, ...QUANTITY_NAMES, " and ", "1", "-", "e", " ", "=", "é"), {
        maxLength: 12,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(soup, fc.string()), (text) => {
        expect(parseCondition(text)).toBeDefined();
      }),
    );
  });
});

describe("comparisons", () => {
  it("with a hysteresis become false only beyond the margin", () => {
    for (const comparator of COMPARATORS) {
      const side = comparator.startsWith(">") ? -1 : 1;
      expect(holds(comparator, 10 + side * 0.4, 10, 0.5)).toBe(true);
      expect(holds(comparator, 10 + side * 0.6, 10, 0.5)).toBe(false);
    }
  });

  it("are located only if they are single inequalities of the state", () => {
    for (const quantity of QUANTITY_NAMES) {
      const located = crossingOf([{ quantity, comparator: "<", value: 1 }]);
      expect(located !== undefined).toBe(isStateQuantity(quantity));
      expect(crossingOf([{ quantity, comparator: "==", value: 1 }])).toBeUndefined();
    }
    const two: Condition = [
      { quantity: "altitudeM", comparator: ">", value: 1 },
      { quantity: "armed", comparator: "==", value: 1 },
    ];
    expect(crossingOf(two)).toBeUndefined();
    expect(crossingOf([{ quantity: "altitudeM", comparator: "<=", value: 3 }])).toEqual({
      quantity: "altitudeM",
      sign: -1,
      value: 3,
      isStrict: false,
    });
  });
});

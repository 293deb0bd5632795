/** Eigenvalues against closed forms and against LAPACK. */
import { describe, expect, it } from "vitest";
import { eigenvalues, participation } from "./eigenvalues.ts";

const close = (actual: { re: number; im: number }[], expected: [number, number][], error = 1e-12) => {
  expect(actual.length).toBe(expected.length);
  actual.forEach(({ re, im }, i) => {
    expect(Math.abs(re - expected[i]![0])).toBeLessThan(error);
    expect(Math.abs(im - expected[i]![1])).toBeLessThan(error);
  });
};

describe("closed forms", () => {
  it("a triangular matrix has the eigenvalues on its diagonal", () => {
    close(
      eigenvalues([
        [3, 5, 7],
        [0, 2, 9],
        [0, 0, -1],
      ]),
      [
        [3, 0],
        [2, 0],
        [-1, 0],
      ],
    );
  });

  it("an oscillator with damping ζ and frequency ω has −ζω ± ω√(1−ζ²)i", () => {
    close(
      eigenvalues([
        [0, 1],
        [-25, -2],
      ]),
      [
        [-1, Math.sqrt(24)],
        [-1, -Math.sqrt(24)],
      ],
    );
  });

  it("the second-difference matrix of n points has −2 + 2 cos(kπ/(n+1))", () => {
    const n = 12;
    const matrix = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => (i === j ? -2 : Math.abs(i - j) === 1 ? 1 : 0)),
    );
    close(
      eigenvalues(matrix),
      Array.from({ length: n }, (_, k) => [-2 + 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)), 0]),
    );
  });

  it("a chain of integrators has exact zeros", () => {
    expect(
      eigenvalues([
        [0, 1, 0],
        [0, 0, 1],
        [0, 0, 0],
      ]),
    ).toEqual([
      { re: 0, im: 0 },
      { re: 0, im: 0 },
      { re: 0, im: 0 },
    ]);
  });
});

it("agrees with LAPACK (numpy.linalg.eigvals) on a matrix whose entries differ by orders of magnitude", () => {
  const matrix = [
    [0.1, 200, -3e-3, 0, 7],
    [-1e-2, -4, 0.5, 1, 0],
    [30, 0, -0.2, 60, 1e-3],
    [0, 2e-4, -0.1, 0.3, -1],
    [5, -8, 0, 40, -12],
  ];
  close(
    eigenvalues(matrix),
    [
      [13.093083118174604, 0.0],
      [-3.020556546991771, 0.0],
      [-8.281460417043235, 0.0],
      [-8.795533077069788, 11.61674606444756],
      [-8.795533077069788, -11.61674606444756],
    ],
    1e-11,
  );
});

describe("participation", () => {
  it("does not depend on the units of the states", () => {
    const matrix = [
      [-1, 2, 0],
      [-3, -1, 0],
      [0, 0, -7],
    ];
    const units = [1, 1000, 0.01];
    const scaled = matrix.map((row, i) => row.map((value, j) => (value * units[i]!) / units[j]!));
    const [value] = eigenvalues(matrix);
    const shares = participation(matrix, value!);
    participation(scaled, value!).forEach((share, i) => expect(share).toBeCloseTo(shares[i]!, 6));
    expect(shares[0]).toBeCloseTo(0.5, 6);
    expect(shares[2]).toBeCloseTo(0, 6);
  });
});

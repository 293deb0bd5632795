/** Columns of a log row name their signal and component. */
import { expect, it } from "vitest";
import { BusLayout } from "./bus.ts";
import { rowColumns } from "./columns.ts";

it("a column has its signal, component and writer; the state is written by the plant", () => {
  const blocks = [{ name: "posNed", size: 3, unit: "m", components: ["n", "e", "d"] }];
  const layout = new BusLayout({ rotors: 4, batteries: 1, buses: 1 });
  const columns = rowColumns({ blocks }, layout);
  expect(columns[2]).toMatchObject({ name: "pos_ned_d_m", signal: "posNed", component: 2, writer: "plant" });
  layout.signals.forEach(({ name, offset, size }) => {
    for (let i = 0; i < size; i += 1) expect(columns[3 + offset + i]).toMatchObject({ signal: name, component: i });
  });
  const thrust = columns.find(({ name }) => name === "rotor_thrust_3_n");
  expect(thrust).toMatchObject({ signal: "rotorThrust", component: 2, writer: "outputs" });
});

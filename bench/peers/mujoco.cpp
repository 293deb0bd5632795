// A free body with four thrusters in MuJoCo, RK4 in steps of 1 ms, hovering in open loop: prints wall seconds. Run by
// mujoco.ts.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mujoco/mujoco.h>

static const char* MODEL =
  "<mujoco><option timestep='0.001' integrator='RK4' gravity='0 0 -9.80665'/><worldbody>"
  "<body name='quad' pos='0 0 30'><freejoint/><inertial pos='0 0 0' mass='1.5' diaginertia='0.029125 0.029125 0.055225'/>"
  "<site name='r1' pos='0.15 0.245 0'/><site name='r2' pos='-0.15 -0.1875 0'/><site name='r3' pos='0.15 -0.245 0'/><site name='r4' pos='-0.15 0.1875 0'/>"
  "</body></worldbody><actuator>"
  "<motor site='r1' gear='0 0 1 0 0 0.05'/><motor site='r2' gear='0 0 1 0 0 0.05'/><motor site='r3' gear='0 0 1 0 0 -0.05'/><motor site='r4' gear='0 0 1 0 0 -0.05'/>"
  "</actuator></mujoco>";

int main(int, char** arguments) {
  const int steps = atoi(arguments[1]);
  const char* path = arguments[2];
  FILE* file = fopen(path, "w");
  fputs(MODEL, file);
  fclose(file);
  char error[1000];
  mjModel* model = mj_loadXML(path, 0, error, sizeof error);
  if (!model) return fprintf(stderr, "%s\n", error), 1;
  mjData* data = mj_makeData(model);
  for (int i = 0; i < 4; i += 1) data->ctrl[i] = 1.5 * 9.80665 / 4;
  const auto began = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; k += 1) mj_step(model, data);
  printf("%.9f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  mj_deleteData(data);
  mj_deleteModel(model);
}

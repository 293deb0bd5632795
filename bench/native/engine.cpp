// The engine's row in plain C++: boundaries of 1 ms, commands replayed every 4 ms, Ornstein–Uhlenbeck wind and a log row
// into memory every 20 ms, and RK4 in between, with the model of plant.cpp. The boundary order is that of
// packages/core/src/engine/stages.ts: wind, outputs, command, discontinuities, log, integration. The gaussians of the wind
// are given, so that only their use is measured here. Compile like plant.cpp.

#include "plant.cpp"
#include <string.h>

enum { MOTORS = 12, SERVOS = 8, BUS = 512 };

struct Engine {
  int64_t now, end;
  int64_t nextWind, nextTick, nextLog, nextPhysics;
  int64_t windPeriod, tickPeriod, logPeriod, physicsPeriod;
  double x[MOST], u[MOST], bus[BUS], slope[MOST];
  double gust[3], mean[3], sigma[3], phi, s;
  const double* commands;
  const double* gaussians;
  int commandAt, gaussianAt, commandMotor, rowWidth, rowCount, rowMost, uSize;
  double* rows;
};
static Engine e;

EXPORT void engine_setup(const double* x, const double* u, int uSize, int commandMotor, const double* wind, const double* commands, const double* gaussians, double* rows, int rowWidth, int rowMost) {
  memcpy(e.x, x, size * sizeof(double));
  memcpy(e.u, u, uSize * sizeof(double));
  e.uSize = uSize;
  e.commandMotor = commandMotor;
  for (int i = 0; i < 3; i += 1) {
    e.gust[i] = wind[i];
    e.mean[i] = wind[3 + i];
    e.sigma[i] = wind[6 + i];
  }
  e.phi = wind[9];
  e.s = wind[10];
  e.commands = commands;
  e.gaussians = gaussians;
  e.rows = rows;
  e.rowWidth = rowWidth;
  e.rowMost = rowMost;
  e.commandAt = e.gaussianAt = e.rowCount = 0;
  e.now = e.nextWind = e.nextTick = e.nextLog = e.nextPhysics = 0;
  e.windPeriod = 20000;
  e.tickPeriod = 4000;
  e.logPeriod = 20000;
  e.physicsPeriod = 1000;
}

/* What the plant's outputs hold, from one more evaluation. */
static void outputs() {
  derivatives(e.slope, e.x, e.u);
  double* y = e.bus;
  for (int i = 0; i < n[N_BATTERIES]; i += 1) {
    const double soc = max_(0, min_(1, e.x[n[N_X_SOC] + i]));
    *y++ = w.voltage[n[N_BATTERY_BUS + i]];
    *y++ = w.batteryCurrent[i];
    *y++ = soc;
    *y++ = soc <= 0.05 ? 3 : soc <= 0.1 ? 2 : soc <= 0.15 ? 1 : 0;
  }
  for (int i = 0; i < n[N_ROTORS]; i += 1) {
    *y++ = w.thrust[i];
    *y++ = w.torque[i];
    *y++ = w.current[i];
  }
  *y++ = w.rho;
  for (int i = 0; i < 3; i += 1) {
    *y++ = w.air[i];
    *y++ = e.slope[X_VEL + i];
    *y++ = e.slope[X_RATE + i];
    *y++ = w.r[i] * e.slope[X_VEL] + w.r[3 + i] * e.slope[X_VEL + 1] + w.r[6 + i] * (e.slope[X_VEL + 2] - w.gravity);
    *y++ = w.contact[i];
  }
}

static int isFinite(const double* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i += 1) sum += values[i];
  return sum - sum == 0;
}

/* Works `count` boundaries and the intervals after them. Returns how many were worked before something was wrong. */
EXPORT int engine_run(int count) {
  for (int b = 0; b < count; b += 1) {
    const int64_t now = e.now;
    const bool windDue = now == e.nextWind, tickDue = now == e.nextTick, logDue = now == e.nextLog;
    if (!isFinite(e.x, size)) return b;
    if (windDue) {
      double* wind = e.u + n[N_U_WIND];
      for (int i = 0; i < 3; i += 1) {
        wind[i] = e.mean[i] + e.gust[i];
        e.gust[i] = e.phi * e.gust[i] + e.sigma[i] * e.s * e.gaussians[e.gaussianAt++];
      }
      e.nextWind += e.windPeriod;
    }
    if (tickDue || logDue) outputs();
    if (tickDue) {
      double* command = e.u + e.commandMotor;
      for (int i = 0; i < MOTORS; i += 1) {
        command[i] = e.commands[e.commandAt++];
        if (!(command[i] >= 0 && command[i] <= 1)) return b;
      }
      for (int i = 0; i < n[N_ROTORS]; i += 1) e.x[X_MOTOR + i] = command[i];
      e.nextTick += e.tickPeriod;
    }
    if (logDue) {
      outputs();
      double* row = e.rows + (int64_t)(e.rowCount % e.rowMost) * e.rowWidth;
      memcpy(row, e.x, size * sizeof(double));
      memcpy(row + size, e.bus, (e.rowWidth - size) * sizeof(double));
      e.rowCount += 1;
      e.nextLog += e.logPeriod;
    }
    if (now == e.nextPhysics) e.nextPhysics += e.physicsPeriod;
    int64_t next = e.nextPhysics;
    if (e.nextWind < next) next = e.nextWind;
    if (e.nextTick < next) next = e.nextTick;
    if (e.nextLog < next) next = e.nextLog;
    plant_rk4(e.x, e.u, 1, (double)(next - now));
    for (int i = 0; i < n[N_MOTORS]; i += 1) if (!(e.x[n[N_X_SPEED] + i] >= 0)) e.x[n[N_X_SPEED] + i] = 0;
    for (int i = 0; i < n[N_BATTERIES]; i += 1) {
      const double soc = e.x[n[N_X_SOC] + i];
      if (!(soc >= 0 && soc <= 1)) e.x[n[N_X_SOC] + i] = soc < 0 ? 0 : 1;
    }
    /* Near the ground the plant has seams, which this loop does not know. */
    if (!(e.x[X_POS + 2] + 1.1 * p[P_REACH] < 0)) return b;
    e.now = next;
  }
  return count;
}

EXPORT void engine_state(double* x) { memcpy(x, e.x, size * sizeof(double)); }
EXPORT double engine_now() { return (double)e.now; }
EXPORT void plant_derivatives(double* dx, const double* x, const double* u, int times) {
  for (int i = 0; i < times; i += 1) derivatives(dx, x, u);
}

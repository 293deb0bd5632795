// The engine's row in plain C++: boundaries of 1 ms, commands replayed every 4 ms, Ornstein–Uhlenbeck wind and a log row
// into memory every 20 ms, and RK4 in between, with the model of plant.cpp. The boundary order is that of
// packages/core/src/engine/stages.ts: wind, outputs, command, discontinuities, log, integration. The gaussians of the wind
// are given, so that only their use is measured here. A log row is the state and the whole bus, placed as ours is, so
// that logs can be compared. Compile like plant.cpp.

#include "plant.cpp"
#include "portable.h"

enum { MOTORS = 12, SERVOS = 8, BUS = 512 };
enum { B_LOW = 7, B_CRITICAL = 8, B_EMERGENCY = 9 };

/* Where signals lie in the bus, in the order in which their places are given. */
enum {
  Y_WIND_BASE, Y_WIND, Y_BATTERY_VOLTAGE, Y_BATTERY_CURRENT, Y_BATTERY_REMAINING, Y_BATTERY_WARNING, Y_THRUST, Y_TORQUE, Y_MOTOR_CURRENT,
  Y_BUS_VOLTAGE, Y_BUS_CURRENT, Y_DENSITY, Y_TEMPERATURE, Y_PRESSURE, Y_AIR_VEL, Y_ACC, Y_RATE_DOT, Y_SPECIFIC_FORCE, Y_CONTACT_FORCE,
  Y_MOTOR_COMMAND, Y_SERVO_COMMAND, PLACES
};

struct Engine {
  int64_t now, end;
  int64_t nextWind, nextTick, nextLog, nextPhysics;
  int64_t windPeriod, tickPeriod, logPeriod, physicsPeriod;
  double x[MOST], u[MOST], bus[BUS], slope[MOST];
  double gust[3], mean[3], sigma[3], phi, s;
  const double* commands;
  const double* gaussians;
  int commandAt, gaussianAt, commandMotor, rowCount, rowMost, busSize;
  int place[PLACES];
  double* rows;
};
static Engine e;

static inline void copy(double* to, const double* from, int count) {
  __builtin_memcpy(to, from, count * sizeof(double));
}

/* The state, the input, the bus and its places; then gust, mean and deviation on three axes, φ and s; then periods. */
EXPORT void engine_state_in(const double* x, const double* u, int uSize, int commandMotor, const double* bus, int busSize, const int32_t* place) {
  copy(e.x, x, size);
  copy(e.u, u, uSize);
  copy(e.bus, bus, busSize);
  e.busSize = busSize;
  e.commandMotor = commandMotor;
  for (int i = 0; i < PLACES; i += 1) e.place[i] = place[i];
}

EXPORT void engine_begin(double endUs, const double* wind, const double* commands, const double* gaussians, double* rows, int rowMost) {
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
  e.rowMost = rowMost;
  e.commandAt = e.gaussianAt = e.rowCount = 0;
  e.now = e.nextWind = e.nextTick = e.nextLog = e.nextPhysics = 0;
  e.end = (int64_t)endUs;
  e.windPeriod = 20000;
  e.tickPeriod = 4000;
  e.logPeriod = 20000;
  e.physicsPeriod = 1000;
}

static int isFinite(const double* values, int count) {
  double a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i < count - 3; i += 4) {
    a += values[i];
    b += values[i + 1];
    c += values[i + 2];
    d += values[i + 3];
  }
  for (; i < count; i += 1) a += values[i];
  const double sum = a + b + (c + d);
  return sum - sum == 0;
}

static void batteryOutputs(double* y) {
  const int* at = e.place;
  for (int i = 0; i < n[N_BATTERIES]; i += 1) {
    const double* b = p + P_BATTERY + i * BATTERY_STRIDE;
    const bool connected = e.u[n[N_U_CONNECTED] + i] != 0;
    const double soc = max_(0, min_(1, e.x[n[N_X_SOC] + i]));
    y[at[Y_BATTERY_VOLTAGE] + i] = connected ? w.voltage[n[N_BATTERY_BUS + i]] : 0;
    y[at[Y_BATTERY_CURRENT] + i] = connected ? w.batteryCurrent[i] : 0;
    y[at[Y_BATTERY_REMAINING] + i] = soc;
    y[at[Y_BATTERY_WARNING] + i] = soc <= b[B_EMERGENCY] ? 3 : soc <= b[B_CRITICAL] ? 2 : soc <= b[B_LOW] ? 1 : 0;
  }
}

/* The lower of two layers of the standard atmosphere over geometric height. */
static int airOutputs(double* y) {
  const double BASE_K = 288.15, LAPSE = -0.0065, GAS = 287.05287, G = 9.80665;
  const int* at = e.place;
  const double given = p[P_ORIGIN_ALTITUDE] - e.x[X_POS + 2];
  const double h = given < 0 ? 0 : given;
  if (h > 11000) return 0;
  const double temperature = BASE_K + LAPSE * (h - 0);
  y[at[Y_DENSITY]] = w.rho;
  y[at[Y_TEMPERATURE]] = temperature;
  y[at[Y_PRESSURE]] = 101325 * exp_(-G / (GAS * LAPSE) * log_(temperature / BASE_K));
  return 1;
}

/* What the plant's outputs hold, from one more evaluation. */
static int outputs() {
  modelDerivatives(e.slope, e.x, e.u);
  double* y = e.bus;
  const int* at = e.place;
  batteryOutputs(y);
  for (int i = 0; i < n[N_ROTORS]; i += 1) {
    y[at[Y_THRUST] + i] = w.thrust[i];
    y[at[Y_TORQUE] + i] = p[P_ROTOR + i * ROTOR_STRIDE + R_DIR] * w.torque[i];
    y[at[Y_MOTOR_CURRENT] + i] = w.current[i];
  }
  for (int bus = 0; bus < n[N_BUSES]; bus += 1) {
    w.load[bus] = w.voltage[bus] > 0 ? w.served[bus] / w.voltage[bus] : 0;
    y[at[Y_BUS_VOLTAGE] + bus] = w.voltage[bus];
  }
  for (int i = 0; i < n[N_MOTORS]; i += 1) {
    w.load[n[N_ROTOR_BUS + i]] += w.duty[i] * w.current[i] * p[P_ROTOR + i * ROTOR_STRIDE + R_INV_ESC];
  }
  for (int bus = 0; bus < n[N_BUSES]; bus += 1) y[at[Y_BUS_CURRENT] + bus] = w.load[bus];
  if (!airOutputs(y)) return 0;
  const double an = e.slope[X_VEL], ae = e.slope[X_VEL + 1], ad = e.slope[X_VEL + 2] - w.gravity;
  for (int i = 0; i < 3; i += 1) {
    y[at[Y_AIR_VEL] + i] = w.air[i];
    y[at[Y_ACC] + i] = e.slope[X_VEL + i];
    y[at[Y_RATE_DOT] + i] = e.slope[X_RATE + i];
    y[at[Y_SPECIFIC_FORCE] + i] = w.r[i] * an + w.r[3 + i] * ae + w.r[6 + i] * ad;
    y[at[Y_CONTACT_FORCE] + i] = w.contact[i];
  }
  return isFinite(y + at[Y_BATTERY_VOLTAGE], at[Y_CONTACT_FORCE] + 3 - at[Y_BATTERY_VOLTAGE]);
}

/* As the engine checks a state: finite, with an attitude of unit length. */
static int isState(const double* x) {
  const double* q = x + X_Q;
  const double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return isFinite(x, size) && fabs_(norm2 - 1) <= 2e-9;
}

/* The autopilot's word, checked: commands in range, and all it says finite; its signals are the last of the bus. */
static int command() {
  double* motors = e.bus + e.place[Y_MOTOR_COMMAND];
  const double* servos = e.bus + e.place[Y_SERVO_COMMAND];
  for (int i = 0; i < MOTORS; i += 1) motors[i] = e.commands[e.commandAt++];
  for (int i = 0; i < MOTORS; i += 1) if (!(motors[i] >= 0 && motors[i] <= 1)) return 0;
  for (int i = 0; i < SERVOS; i += 1) if (!(servos[i] >= -1 && servos[i] <= 1)) return 0;
  if (!isFinite(motors, e.busSize - e.place[Y_MOTOR_COMMAND])) return 0;
  copy(e.u + e.commandMotor, motors, MOTORS + SERVOS);
  for (int i = 0; i < n[N_ROTORS]; i += 1) e.x[X_MOTOR + i] = motors[i];
  return isState(e.x);
}

static void wind() {
  double* base = e.bus + e.place[Y_WIND_BASE];
  double* sum = e.bus + e.place[Y_WIND];
  for (int i = 0; i < 3; i += 1) {
    base[i] = e.mean[i] + e.gust[i];
    e.gust[i] = e.phi * e.gust[i] + e.sigma[i] * e.s * e.gaussians[e.gaussianAt++];
    sum[i] = base[i] + 0.0;
    e.u[n[N_U_WIND] + i] = sum[i];
  }
}

static void logRow() {
  double* row = e.rows + (int64_t)(e.rowCount % e.rowMost) * (size + e.busSize);
  copy(row, e.x, size);
  copy(row + size, e.bus, e.busSize);
  e.rowCount += 1;
}

/* One boundary; 0 if something is wrong. */
static int boundary() {
  const bool tickDue = e.now == e.nextTick, logDue = e.now == e.nextLog;
  if (!isState(e.x)) return 0;
  if (e.now == e.nextWind) {
    wind();
    e.nextWind += e.windPeriod;
  }
  if ((tickDue || logDue) && !outputs()) return 0;
  if (tickDue) {
    if (!command()) return 0;
    e.nextTick += e.tickPeriod;
  }
  if (logDue) {
    if (!outputs()) return 0;
    logRow();
    e.nextLog += e.logPeriod;
  }
  if (e.now == e.nextPhysics) e.nextPhysics += e.physicsPeriod;
  return 1;
}

/* To the next boundary; 0 near the ground or with an empty battery, where the plant has seams, which this loop does not know. */
static int interval() {
  int64_t next = e.nextPhysics;
  if (e.nextWind < next) next = e.nextWind;
  if (e.nextTick < next) next = e.nextTick;
  if (e.nextLog < next) next = e.nextLog;
  plant_rk4(e.x, e.u, 1, (double)(next - e.now));
  for (int i = 0; i < n[N_MOTORS]; i += 1) if (!(e.x[n[N_X_SPEED] + i] >= 0)) e.x[n[N_X_SPEED] + i] = 0;
  for (int i = 0; i < n[N_BATTERIES]; i += 1) {
    const double soc = e.x[n[N_X_SOC] + i];
    if (!(soc > 0)) return 0;
    if (soc > 1) e.x[n[N_X_SOC] + i] = 1;
  }
  if (!(e.x[X_POS + 2] + 1.1 * p[P_REACH] < 0)) return 0;
  e.now = next;
  return 1;
}

/* Works boundaries and the intervals after them, up to the end. Returns how many, or −1 where something was wrong. */
EXPORT int engine_run(int count) {
  for (int b = 0; b < count; b += 1) {
    if (!boundary()) return -1;
    if (e.now == e.end) return b + 1;
    if (!interval()) return -1;
  }
  return count;
}

EXPORT void engine_state_out(double* x) { copy(x, e.x, size); }
EXPORT void plant_derivatives(double* dx, const double* x, const double* u, int times) {
  for (int i = 0; i < times; i += 1) {
    PREPARE(x, u);
    derivatives(dx, x, u);
  }
}

// The engine row in plain C++: a boundary every 1 ms, commands replayed every 4 ms, Ornstein–Uhlenbeck wind and a log
// row into memory every 20 ms, the fingerprint fp1 at every boundary, and RK4 in between, with the model of plant.cpp.
// The boundary order is that of packages/core/src/engine/stages.ts: wind, outputs, command, outputs again if a log row
// is due, fingerprint, log, integration. The caller passes the wind's gaussians, so that drawing them is not measured
// here. A log row is the state and the whole bus, laid out as in TypeScript, so that logs can be compared. Compile like
// plant.cpp.

#include "plant.cpp"
#include "portable.h"

enum { MOTORS = 12, SERVOS = 8, BUS = 512 };

/* Signals whose offsets in the bus the caller passes, in this order. */
enum {
  Y_WIND_BASE, Y_WIND, Y_BATTERY_VOLTAGE, Y_BATTERY_CURRENT, Y_BATTERY_REMAINING, Y_BATTERY_WARNING, Y_THRUST, Y_TORQUE, Y_MOTOR_CURRENT,
  Y_BUS_VOLTAGE, Y_BUS_CURRENT, Y_DENSITY, Y_TEMPERATURE, Y_PRESSURE, Y_AIR_VEL, Y_ACC, Y_RATE_DOT, Y_SPECIFIC_FORCE, Y_CONTACT_FORCE,
  Y_MOTOR_COMMAND, Y_SERVO_COMMAND, ENGINE_SIGNALS
};

/* One running digest of fp1: packages/core/src/record/digest.ts, operation by operation. */
struct Digest {
  uint32_t h0, h1, h2, h3;
};
static const uint32_t M0 = 0x9e3779b1, M1 = 0x85ebca77, M2 = 0xc2b2ae3d, M3 = 0x27d4eb2f;

static inline uint32_t rotateLeft(uint32_t word, int by) { return (word << by) | (word >> (32 - by)); }
static inline uint32_t mix(uint32_t h, uint32_t word, uint32_t multiplier) { return rotateLeft((h ^ word) * multiplier, 13); }

static void begin(Digest* d) {
  d->h0 = 0x243f6a88;
  d->h1 = 0x85a308d3;
  d->h2 = 0x13198a2e;
  d->h3 = 0x03707344;
}

static void feed(Digest* d, const double* values, int count) {
  const char* bytes = (const char*)values;
  uint32_t h0 = d->h0, h1 = d->h1, h2 = d->h2, h3 = d->h3, word[4];
  int i = 0;
  for (; i < count - 1; i += 2) {
    __builtin_memcpy(word, bytes + 8 * i, 16);
    h0 = mix(h0, word[0], M0);
    h1 = mix(h1, word[1], M1);
    h2 = mix(h2, word[2], M2);
    h3 = mix(h3, word[3], M3);
  }
  if (i < count) {
    __builtin_memcpy(word, bytes + 8 * i, 8);
    h0 = mix(h0, word[0], M0);
    h1 = mix(h1, word[1], M1);
  }
  d->h0 = h0 + h3;
  d->h1 = h1 ^ d->h0;
  d->h2 = h2 + d->h1 + 2 * count;
  d->h3 = h3 ^ d->h2;
}

static uint32_t finish(uint32_t word, uint32_t multiplier) {
  uint32_t h = (word ^ (word >> 16)) * multiplier;
  h = (h ^ (h >> 13)) * M3;
  return h ^ (h >> 16);
}

/* Digests of the plant and of each writer that runs on this row. */
enum { D_PLANT, D_WIND, D_WIND_SUM, D_OUTPUTS, D_AUTOPILOT, DIGESTS };

struct Engine {
  int64_t now, end;
  int64_t nextWind, nextTick, nextLog, nextPhysics;
  int64_t windPeriod, tickPeriod, logPeriod, physicsPeriod;
  /* [t, x, u], in the order of the plant digest. */
  double frame[1 + 2 * MAX_STATE_SIZE];
  double *x, *u;
  double bus[BUS], slope[MAX_STATE_SIZE];
  int inputSize;
  bool inputChanged, outputsRan;
  Digest digests[DIGESTS];
  double gust[3], mean[3], sigma[3], phi, s;
  const double* commands;
  const double* gaussians;
  int commandAt, gaussianAt, commandMotor, rowCount, maxRows, busSize;
  int busOffsets[ENGINE_SIGNALS];
  double* rows;
};
static Engine e;

static inline void copy(double* to, const double* from, int count) {
  __builtin_memcpy(to, from, count * sizeof(double));
}

/* Copies into the frozen input, and records whether any bit changes. */
static inline void freeze(double* to, const double* from, int count) {
  for (int i = 0; i < count; i += 1) {
    uint64_t before, after;
    __builtin_memcpy(&before, to + i, 8);
    __builtin_memcpy(&after, from + i, 8);
    if (before == after) continue;
    to[i] = from[i];
    e.inputChanged = true;
  }
}

/* Sets the state, the input, and the bus with the offsets of its signals. */
EXPORT void engine_state_in(const double* x, const double* u, int uSize, int commandMotor, const double* bus, int busSize, const int32_t* busOffsets) {
  e.x = e.frame + 1;
  e.u = e.x + size;
  e.inputSize = uSize;
  copy(e.x, x, size);
  copy(e.u, u, uSize);
  copy(e.bus, bus, busSize);
  e.busSize = busSize;
  e.commandMotor = commandMotor;
  for (int i = 0; i < ENGINE_SIGNALS; i += 1) e.busOffsets[i] = busOffsets[i];
}

/* `wind`: gust, mean and deviation on three axes, φ and s. */
EXPORT void engine_begin(double endUs, const double* wind, const double* commands, const double* gaussians, double* rows, int maxRows) {
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
  e.maxRows = maxRows;
  e.commandAt = e.gaussianAt = e.rowCount = 0;
  e.now = e.nextWind = e.nextTick = e.nextLog = e.nextPhysics = 0;
  e.end = (int64_t)endUs;
  e.windPeriod = 20000;
  e.tickPeriod = 4000;
  e.logPeriod = 20000;
  e.physicsPeriod = 1000;
  for (int i = 0; i < DIGESTS; i += 1) begin(e.digests + i);
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
  const int* at = e.busOffsets;
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    const double* b = p + P_BATTERY + i * BATTERY_STRIDE;
    const bool connected = e.u[n[N_OFFSETS_BATTERY_CONNECTED] + i] != 0;
    const double soc = max_(0, min_(1, e.x[n[N_OFFSETS_BATTERY_SOC] + i]));
    y[at[Y_BATTERY_VOLTAGE] + i] = connected ? w.voltage[n[N_BATTERY_BUS + i]] : 0;
    y[at[Y_BATTERY_CURRENT] + i] = connected ? w.batteryCurrent[i] : 0;
    y[at[Y_BATTERY_REMAINING] + i] = soc;
    y[at[Y_BATTERY_WARNING] + i] = soc <= b[BATTERY_EMERGENCY_SOC] ? 3 : soc <= b[BATTERY_CRITICAL_SOC] ? 2 : soc <= b[BATTERY_LOW_SOC] ? 1 : 0;
  }
}

/* Computes the air in the lowest layer of the standard atmosphere over geometric height. Returns 0 above this layer. */
static int airOutputs(double* y) {
  const double BASE_K = 288.15, LAPSE = -0.0065, GAS = 287.05287, G = 9.80665;
  const int* at = e.busOffsets;
  const double given = p[P_ORIGIN_ALTITUDE] - e.x[X_POS_NED + 2];
  const double h = given < 0 ? 0 : given;
  if (h > 11000) return 0;
  const double temperature = BASE_K + LAPSE * (h - 0);
  y[at[Y_DENSITY]] = w.rho;
  y[at[Y_TEMPERATURE]] = temperature;
  y[at[Y_PRESSURE]] = 101325 * exp_(-G / (GAS * LAPSE) * log_(temperature / BASE_K));
  return 1;
}

/* Computes the plant's outputs with one more evaluation. Returns 0 if a check fails. */
static int outputs() {
  modelDerivatives(e.slope, e.x, e.u);
  double* y = e.bus;
  const int* at = e.busOffsets;
  batteryOutputs(y);
  for (int i = 0; i < n[N_ROTOR_COUNT]; i += 1) {
    y[at[Y_THRUST] + i] = w.thrust[i];
    y[at[Y_TORQUE] + i] = p[P_ROTOR + i * ROTOR_STRIDE + ROTOR_DIRECTION] * w.torque[i];
    y[at[Y_MOTOR_CURRENT] + i] = w.current[i];
  }
  for (int bus = 0; bus < n[N_BUS_COUNT]; bus += 1) {
    w.load[bus] = w.voltage[bus] > 0 ? w.served[bus] / w.voltage[bus] : 0;
    y[at[Y_BUS_VOLTAGE] + bus] = w.voltage[bus];
  }
  for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
    w.load[n[N_ROTOR_BUS + i]] += w.duty[i] * w.current[i] * p[P_ROTOR + i * ROTOR_STRIDE + ROTOR_INVERSE_EFFICIENCY];
  }
  for (int bus = 0; bus < n[N_BUS_COUNT]; bus += 1) y[at[Y_BUS_CURRENT] + bus] = w.load[bus];
  if (!airOutputs(y)) return 0;
  const double an = e.slope[X_VEL_NED], ae = e.slope[X_VEL_NED + 1], ad = e.slope[X_VEL_NED + 2] - w.gravity;
  for (int i = 0; i < 3; i += 1) {
    y[at[Y_AIR_VEL] + i] = w.air[i];
    y[at[Y_ACC] + i] = e.slope[X_VEL_NED + i];
    y[at[Y_RATE_DOT] + i] = e.slope[X_RATE_BODY + i];
    y[at[Y_SPECIFIC_FORCE] + i] = w.r[i] * an + w.r[3 + i] * ae + w.r[6 + i] * ad;
    y[at[Y_CONTACT_FORCE] + i] = w.contact[i];
  }
  e.outputsRan = true;
  return isFinite(y + at[Y_BATTERY_VOLTAGE], at[Y_CONTACT_FORCE] + 3 - at[Y_BATTERY_VOLTAGE]);
}

/* Does the engine's check of a state: finite, with an attitude of unit length. */
static int isState(const double* x) {
  const double* q = x + X_Q_BODY_TO_NED;
  const double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return isFinite(x, size) && fabs_(norm2 - 1) <= 2e-9;
}

/* Replays and checks the autopilot's command: it is in range, and all signals of the autopilot, which are the last on
 * the bus, are finite. */
static int command() {
  double* motors = e.bus + e.busOffsets[Y_MOTOR_COMMAND];
  const double* servos = e.bus + e.busOffsets[Y_SERVO_COMMAND];
  for (int i = 0; i < MOTORS; i += 1) motors[i] = e.commands[e.commandAt++];
  for (int i = 0; i < MOTORS; i += 1) if (!(motors[i] >= 0 && motors[i] <= 1)) return 0;
  for (int i = 0; i < SERVOS; i += 1) if (!(servos[i] >= -1 && servos[i] <= 1)) return 0;
  if (!isFinite(motors, e.busSize - e.busOffsets[Y_MOTOR_COMMAND])) return 0;
  freeze(e.u + e.commandMotor, motors, MOTORS + SERVOS);
  for (int i = 0; i < n[N_ROTOR_COUNT]; i += 1) e.x[X_MOTOR_OUTPUT + i] = motors[i];
  return isState(e.x);
}

static void wind() {
  double* base = e.bus + e.busOffsets[Y_WIND_BASE];
  double* sum = e.bus + e.busOffsets[Y_WIND];
  for (int i = 0; i < 3; i += 1) {
    base[i] = e.mean[i] + e.gust[i];
    e.gust[i] = e.phi * e.gust[i] + e.sigma[i] * e.s * e.gaussians[e.gaussianAt++];
    sum[i] = base[i] + 0.0;
  }
  freeze(e.u + n[N_OFFSETS_WIND_NED], sum, 3);
}

static void logRow() {
  double* row = e.rows + (int64_t)(e.rowCount % e.maxRows) * (size + e.busSize);
  copy(row, e.x, size);
  copy(row + size, e.bus, e.busSize);
  e.rowCount += 1;
}

/* Feeds the plant's digest at every boundary, and a writer's digest if the writer ran. The sum of winds counts as
 * written at every boundary. */
static void fingerprint(bool windDue, bool tickDue) {
  const int* at = e.busOffsets;
  feed(e.digests + D_PLANT, e.frame, 1 + size + (e.inputChanged ? e.inputSize : 0));
  /* The signals of the wind end where the sum of winds begins. */
  if (windDue) feed(e.digests + D_WIND, e.bus + at[Y_WIND_BASE], at[Y_WIND] - at[Y_WIND_BASE]);
  feed(e.digests + D_WIND_SUM, e.bus + at[Y_WIND], 3);
  if (e.outputsRan) feed(e.digests + D_OUTPUTS, e.bus + at[Y_BATTERY_VOLTAGE], at[Y_CONTACT_FORCE] + 3 - at[Y_BATTERY_VOLTAGE]);
  if (tickDue) feed(e.digests + D_AUTOPILOT, e.bus + at[Y_MOTOR_COMMAND], e.busSize - at[Y_MOTOR_COMMAND]);
}

/* Runs one boundary. Returns 0 if a check fails. */
static int boundary() {
  const bool windDue = e.now == e.nextWind, tickDue = e.now == e.nextTick, logDue = e.now == e.nextLog;
  e.frame[0] = (double)e.now;
  e.inputChanged = e.now == 0;
  e.outputsRan = false;
  if (!isState(e.x)) return 0;
  if (windDue) {
    wind();
    e.nextWind += e.windPeriod;
  }
  if ((tickDue || logDue) && !outputs()) return 0;
  if (tickDue) {
    if (!command()) return 0;
    e.nextTick += e.tickPeriod;
  }
  if (logDue && !outputs()) return 0;
  fingerprint(windDue, tickDue);
  if (logDue) {
    logRow();
    e.nextLog += e.logPeriod;
  }
  if (e.now == e.nextPhysics) e.nextPhysics += e.physicsPeriod;
  return 1;
}

/* Integrates to the next boundary; returns 0 near the ground or with an empty battery, because this loop does not
 * locate the plant's seams. */
static int interval() {
  int64_t next = e.nextPhysics;
  if (e.nextWind < next) next = e.nextWind;
  if (e.nextTick < next) next = e.nextTick;
  if (e.nextLog < next) next = e.nextLog;
  plant_rk4(e.x, e.u, 1, (double)(next - e.now));
  for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) if (!(e.x[n[N_OFFSETS_ROTOR_SPEED] + i] >= 0)) e.x[n[N_OFFSETS_ROTOR_SPEED] + i] = 0;
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    const double soc = e.x[n[N_OFFSETS_BATTERY_SOC] + i];
    if (!(soc > 0)) return 0;
    if (soc > 1) e.x[n[N_OFFSETS_BATTERY_SOC] + i] = 1;
  }
  if (!(e.x[X_POS_NED + 2] + 1.1 * p[P_REACH] < 0)) return 0;
  e.now = next;
  return 1;
}

/* Runs boundaries and the intervals after them, up to the end. Returns the number of boundaries, or −1 if a check
 * failed. */
EXPORT int engine_run(int count) {
  for (int b = 0; b < count; b += 1) {
    if (!boundary()) return -1;
    if (e.now == e.end) return b + 1;
    if (!interval()) return -1;
  }
  return count;
}

EXPORT void engine_state_out(double* x) { copy(x, e.x, size); }

/* Writes the high and the low word of each digest. */
EXPORT void engine_digests_out(int32_t* words) {
  for (int i = 0; i < DIGESTS; i += 1) {
    const Digest* d = e.digests + i;
    words[2 * i] = (int32_t)finish(d->h0 ^ rotateLeft(d->h2, 16), M1);
    words[2 * i + 1] = (int32_t)finish(d->h1 ^ rotateLeft(d->h3, 16), M2);
  }
}
EXPORT void plant_derivatives(double* dx, const double* x, const double* u, int times) {
  for (int i = 0; i < times; i += 1) {
    PREPARE(x, u);
    derivatives(dx, x, u);
  }
}

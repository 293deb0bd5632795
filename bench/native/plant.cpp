// The multirotor at level "reference" and its integrators in plain C++ over flat arrays: the yardstick for the
// TypeScript, compiled natively and to WebAssembly. It has the same equations, constants and order of operations, and
// its final state must be equal bit for bit. bench/memory-header.ts writes `memory.h` from the declarations of the
// plant's memory. Compile without contraction:
//   g++ -O2 -ffp-contract=off -shared -fPIC -I <folder of memory.h> -o plant.so plant.cpp
// engine.cpp includes this file and adds a loop around it; `npm run bench -- kernel` builds plant.wasm from both.
// It is written as one would write it by hand for any vehicle of this kind: loops over rotors, packed constants, no
// templates.

#include <stdint.h>

#include "memory.h"

#ifdef __wasm__
#define EXPORT extern "C" __attribute__((visibility("default")))
extern "C" void* memcpy(void* to, const void* from, unsigned long count) {
  for (unsigned long i = 0; i < count; i += 1) ((volatile char*)to)[i] = ((const char*)from)[i];
  return to;
}
extern "C" void* memset(void* to, int value, unsigned long count) {
  for (unsigned long i = 0; i < count; i += 1) ((volatile char*)to)[i] = (char)value;
  return to;
}
#else
#define EXPORT extern "C"
#endif

static inline double fabs_(double a) { return __builtin_fabs(a); }
static inline double sqrt_(double a) { return __builtin_sqrt(a); }
static inline double floor_(double a) { return __builtin_floor(a); }
static inline double ceil_(double a) { return __builtin_ceil(a); }
static inline double min_(double a, double b) { return a < b ? a : b; }
static inline double max_(double a, double b) { return a > b ? a : b; }

static double p[8192];
static int32_t n[2048];
static int size;

struct Work {
  double r[9], air[3], rho, gravity, jammed, force[3], moment[3], spin[3], contact[3], contactMoment[3];
  double duty[12], backEmf[12], thrust[12], torque[12], current[12];
  double voltage[8], load[8], served[8], source[8], conductance[8], limit[8], batteryCurrent[8];
};
static Work w;

static double densityAt(double altitude) {
  const double cell = floor_((altitude - p[P_AIR_START]) * p[P_INVERSE_AIR_CELL]);
  const int last = n[N_AIR_CELL_COUNT] - 1;
  const int c = cell < 0 ? 0 : cell > last ? last : (int)cell;
  const double* s = p + P_AIR_SEGMENT + AIR_SEGMENT_STRIDE * n[N_AIR_CELLS + c];
  if (altitude >= s[AIR_SEGMENT_STRIDE]) s += AIR_SEGMENT_STRIDE;
  const double t = (altitude - s[AIR_SEGMENT_CENTRE]) * s[AIR_SEGMENT_INVERSE_HALF];
  const double* coefficient = s + AIR_SEGMENT_COEFFICIENTS;
  double sum = coefficient[8];
  for (int k = 7; k >= 0; k -= 1) sum = sum * t + coefficient[k];
  return sum;
}

static void air(const double* x, const double* u) {
  const double qw = x[X_Q_BODY_TO_NED], qx = x[X_Q_BODY_TO_NED + 1], qy = x[X_Q_BODY_TO_NED + 2], qz = x[X_Q_BODY_TO_NED + 3];
  double* r = w.r;
  r[0] = 1 - 2 * (qy * qy + qz * qz);
  r[1] = 2 * (qx * qy - qw * qz);
  r[2] = 2 * (qx * qz + qw * qy);
  r[3] = 2 * (qx * qy + qw * qz);
  r[4] = 1 - 2 * (qx * qx + qz * qz);
  r[5] = 2 * (qy * qz - qw * qx);
  r[6] = 2 * (qx * qz - qw * qy);
  r[7] = 2 * (qy * qz + qw * qx);
  r[8] = 1 - 2 * (qx * qx + qy * qy);
  const double* wind = u + n[N_OFFSETS_WIND_NED];
  const double an = wind[0] - x[X_VEL_NED], ae = wind[1] - x[X_VEL_NED + 1], ad = wind[2] - x[X_VEL_NED + 2];
  for (int k = 0; k < 3; k += 1) w.air[k] = r[k] * an + r[3 + k] * ae + r[6 + k] * ad;
  const double h = p[P_ORIGIN_ALTITUDE] - x[X_POS_NED + 2];
  const double stretch = 1 + p[P_GRAVITY + 3] * h;
  w.rho = densityAt(h);
  w.gravity = (p[P_GRAVITY] + h * (p[P_GRAVITY + 1] + h * p[P_GRAVITY + 2])) / (stretch * stretch);
}

static void duties(double* dx, const double* x, const double* u) {
  double anyJammed = 0;
  for (int i = 0; i < n[N_ROTOR_COUNT]; i += 1) {
    const double raw = u[n[N_OFFSETS_MOTOR_GAIN] + i] * x[X_MOTOR_OUTPUT + i] + u[n[N_OFFSETS_MOTOR_OFFSET] + i];
    const double duty = raw < 0 ? 0 : raw > 1 ? 1 : raw;
    const double jammed = u[n[N_OFFSETS_MOTOR_JAM] + i];
    w.duty[i] = duty < p[P_ROTOR + i * ROTOR_STRIDE + ROTOR_DEADZONE] || jammed != 0 ? 0 : duty;
    dx[X_MOTOR_OUTPUT + i] = 0;
    anyJammed += jammed;
  }
  w.jammed = anyJammed;
}

static void sources(const double* x, const double* u) {
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    const double* b = p + P_BATTERY + i * BATTERY_STRIDE;
    const double charge = x[n[N_OFFSETS_BATTERY_SOC] + i];
    const double soc = max_(0, min_(1, charge));
    const int last = n[N_BATTERY_KNOT_COUNT + i] - 2;
    int k = 0;
    while (k < last && soc > b[BATTERY_CURVE_SOC + k + 1]) k += 1;
    const double ocv = b[BATTERY_CURVE_VOLTAGE + k] + (soc - b[BATTERY_CURVE_SOC + k]) * b[BATTERY_CURVE_SLOPE + k];
    const double source = ocv - x[n[N_OFFSETS_BATTERY_V1] + i];
    const double conductance = u[n[N_OFFSETS_BATTERY_CONNECTED] + i] != 0 ? b[BATTERY_CONDUCTANCE] : 0;
    w.source[i] = source;
    w.conductance[i] = conductance;
    w.limit[i] = charge > 0 ? max_(0, (source - b[BATTERY_CUTOFF]) * conductance) : 0;
  }
}

static double balance(int bus, double power, double voltage) {
  double sum = power > 0 ? -power / voltage : 0;
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    if (n[N_BATTERY_BUS + i] != bus) continue;
    sum += min_(w.limit[i], (w.source[i] - voltage) * w.conductance[i]);
  }
  for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
    if (n[N_ROTOR_BUS + i] != bus) continue;
    const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
    const double drop = w.duty[i] * voltage - w.backEmf[i];
    sum -= w.duty[i] * max_(0, min_(r[ROTOR_MAX_CURRENT], drop * r[ROTOR_INVERSE_RESISTANCE])) * r[ROTOR_INVERSE_EFFICIENCY];
  }
  return sum;
}

static double nextBreakBelow(int bus, double voltage) {
  double below = 0;
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    if (n[N_BATTERY_BUS + i] != bus || w.conductance[i] == 0) continue;
    const double limited = w.source[i] - w.limit[i] / w.conductance[i];
    if (limited < voltage) below = max_(below, limited);
  }
  for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
    if (n[N_ROTOR_BUS + i] != bus || w.duty[i] == 0) continue;
    const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
    const double starts = w.backEmf[i] / w.duty[i];
    const double saturates = (w.backEmf[i] + r[ROTOR_MAX_DROP]) / w.duty[i];
    if (starts < voltage) below = max_(below, starts);
    if (saturates < voltage) below = max_(below, saturates);
  }
  return below;
}

static double highestRoot(int bus, double power) {
  double high = 0;
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    if (n[N_BATTERY_BUS + i] == bus && w.conductance[i] > 0) high = max_(high, w.source[i]);
  }
  const double atTop = balance(bus, power, high);
  if (!(atTop < 0)) return high;
  while (high > 0) {
    const double low = nextBreakBelow(bus, high);
    const double middle = low + (high - low) / 2;
    double slope = 0, offset = 0;
    for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
      if (n[N_BATTERY_BUS + i] != bus) continue;
      if ((w.source[i] - middle) * w.conductance[i] >= w.limit[i]) {
        offset += w.limit[i];
      } else {
        slope += w.conductance[i];
        offset += w.conductance[i] * w.source[i];
      }
    }
    for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
      if (n[N_ROTOR_BUS + i] != bus || w.duty[i] == 0) continue;
      const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
      const double backEmf = w.backEmf[i];
      const double drop = w.duty[i] * middle - backEmf;
      const double gain = w.duty[i] * r[ROTOR_DRAW];
      if (drop >= r[ROTOR_MAX_DROP]) {
        offset -= w.duty[i] * r[ROTOR_MAX_CURRENT] * r[ROTOR_INVERSE_EFFICIENCY];
      } else if (drop > 0) {
        slope += gain * w.duty[i];
        offset += gain * backEmf;
      }
    }
    const double inside = offset * offset - 4 * slope * power;
    const double root = power > 0 ? (offset + sqrt_(max_(0, inside))) / (2 * slope) : offset / slope;
    const bool inRange = slope > 0 && inside >= 0 && root >= low - 1e-15 * high && root < high;
    if (inRange || balance(bus, power, low) >= 0) return slope > 0 ? max_(low, min_(high, root)) : low;
    high = low;
  }
  return -1;
}

static void searchBus(int bus) {
  const double power = p[P_BUS + bus * BUS_STRIDE + BUS_POWER], brownOut = p[P_BUS + bus * BUS_STRIDE + BUS_BROWN_OUT];
  double voltage = highestRoot(bus, power);
  if (power > 0 && (voltage < 0 || voltage < brownOut)) {
    w.served[bus] = 0;
    voltage = highestRoot(bus, 0);
  }
  w.voltage[bus] = voltage < 0 ? 0 : voltage;
}

static void busVoltages(const double* x) {
  const double* speed = x + n[N_OFFSETS_ROTOR_SPEED];
  for (int bus = 0; bus < n[N_BUS_COUNT]; bus += 1) {
    const double power = p[P_BUS + bus * BUS_STRIDE + BUS_POWER];
    double slope = 0, offset = 0;
    for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
      if (n[N_BATTERY_BUS + i] != bus) continue;
      slope += w.conductance[i];
      offset += w.source[i] * w.conductance[i];
    }
    double sum = slope;
    for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
      if (n[N_ROTOR_BUS + i] != bus) continue;
      const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
      const double gain = w.duty[i] * r[ROTOR_DRAW];
      w.backEmf[i] = r[ROTOR_BACK_EMF_CONSTANT] * speed[i];
      sum += gain * w.duty[i];
      offset += gain * w.backEmf[i];
    }
    w.served[bus] = slope == 0 ? 0 : power;
    if (slope == 0) {
      w.voltage[bus] = 0;
      continue;
    }
    const double inside = offset * offset - 4 * sum * power;
    const double voltage = power > 0 ? (offset + sqrt_(max_(0, inside))) / (2 * sum) : offset / sum;
    bool accepted = inside >= 0 && voltage > 0 && slope * voltage * voltage > power;
    for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
      if (n[N_ROTOR_BUS + i] != bus || w.duty[i] == 0) continue;
      const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
      const double drop = w.duty[i] * voltage - w.backEmf[i];
      if (!(drop >= 0 && drop <= r[ROTOR_MAX_DROP])) accepted = false;
    }
    for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
      if (n[N_BATTERY_BUS + i] != bus) continue;
      if ((w.source[i] - voltage) * w.conductance[i] > w.limit[i]) accepted = false;
    }
    if (accepted && voltage >= p[P_BUS + bus * BUS_STRIDE + BUS_BROWN_OUT]) w.voltage[bus] = voltage;
    else searchBus(bus);
  }
}

static void rotors(double* dx, const double* x) {
  const bool hub = p[P_HUB_INFLOW] != 0;
  const double wx = x[X_RATE_BODY], wy = x[X_RATE_BODY + 1], wz = x[X_RATE_BODY + 2];
  double f[3] = {0, 0, 0}, m[3] = {0, 0, 0}, h[3] = {0, 0, 0};
  for (int i = 0; i < n[N_ROTOR_COUNT]; i += 1) {
    const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
    const double speed = x[n[N_OFFSETS_ROTOR_SPEED] + i];
    double vx = w.air[0], vy = w.air[1], vz = w.air[2];
    if (hub) {
      vx -= wy * r[ROTOR_POSITION + 2] - wz * r[ROTOR_POSITION + 1];
      vy -= wz * r[ROTOR_POSITION] - wx * r[ROTOR_POSITION + 2];
      vz -= wx * r[ROTOR_POSITION + 1] - wy * r[ROTOR_POSITION];
    }
    const double tip = fabs_(speed) * r[ROTOR_RADIUS];
    const double mu = (vx * r[ROTOR_AXIS] + vy * r[ROTOR_AXIS + 1] + vz * r[ROTOR_AXIS + 2]) / (tip > 1e-3 ? tip : 1e-3);
    const double mu2 = mu * mu;
    const double pressure = w.rho * speed * speed;
    const double thrust = (r[ROTOR_REFERENCE_THRUST] * pressure) / (1 + r[ROTOR_REFERENCE_THRUST_INFLOW] * mu2);
    const double drag = (r[ROTOR_REFERENCE_TORQUE] * pressure) / (1 + r[ROTOR_REFERENCE_TORQUE_INFLOW] * mu2);
    const double free = (w.duty[i] * w.voltage[n[N_ROTOR_BUS + i]] - w.backEmf[i]) * r[ROTOR_INVERSE_RESISTANCE];
    const double current = free < 0 ? 0 : free > r[ROTOR_MAX_CURRENT] ? r[ROTOR_MAX_CURRENT] : free;
    const double useful = current - r[ROTOR_IDLE_CURRENT];
    const double torque = useful > 0 ? r[ROTOR_BACK_EMF_CONSTANT] * useful : 0;
    double net = torque - drag - r[ROTOR_FRICTION] * speed;
    if (speed <= 0 && net < 0) net = 0;
    const double spin = r[ROTOR_SPIN_INERTIA] * speed;
    const double moment = r[ROTOR_DIRECTION] * (drag + net);
    w.thrust[i] = thrust;
    w.torque[i] = drag;
    w.current[i] = current;
    dx[n[N_OFFSETS_ROTOR_SPEED] + i] = net * r[ROTOR_INVERSE_INERTIA];
    for (int k = 0; k < 3; k += 1) {
      h[k] += spin * r[ROTOR_AXIS + k];
      f[k] -= thrust * r[ROTOR_AXIS + k];
      m[k] += thrust * r[ROTOR_ARM + k] + moment * r[ROTOR_AXIS + k];
    }
  }
  for (int k = 0; k < 3; k += 1) {
    w.force[k] = f[k];
    w.moment[k] = m[k];
    w.spin[k] = h[k];
  }
}

static void jams(double* dx, const double* x, const double* u) {
  for (int i = 0; i < n[N_MOTOR_COUNT]; i += 1) {
    if (u[n[N_OFFSETS_MOTOR_JAM] + i] == 0) continue;
    const double* r = p + P_ROTOR + i * ROTOR_STRIDE;
    const double speed = x[n[N_OFFSETS_ROTOR_SPEED] + i];
    const double speedDot = speed > 0 ? -speed * p[P_JAM_RATE] : 0;
    const double moment = -r[ROTOR_SPIN_INERTIA] * (speedDot - dx[n[N_OFFSETS_ROTOR_SPEED] + i]);
    dx[n[N_OFFSETS_ROTOR_SPEED] + i] = speedDot;
    for (int k = 0; k < 3; k += 1) w.moment[k] += moment * r[ROTOR_AXIS + k];
  }
}

static void batteries(double* dx, const double* x) {
  for (int i = 0; i < n[N_BATTERY_COUNT]; i += 1) {
    const double* b = p + P_BATTERY + i * BATTERY_STRIDE;
    const double free = (w.source[i] - w.voltage[n[N_BATTERY_BUS + i]]) * w.conductance[i];
    const double current = min_(free, w.limit[i]);
    const double soc = x[n[N_OFFSETS_BATTERY_SOC] + i], v1 = x[n[N_OFFSETS_BATTERY_V1] + i];
    const bool held = (soc <= 0 && current > 0) || (soc >= 1 && current < 0);
    w.batteryCurrent[i] = current;
    dx[n[N_OFFSETS_BATTERY_SOC] + i] = held ? 0 : -current * b[BATTERY_INVERSE_CHARGE];
    dx[n[N_OFFSETS_BATTERY_V1] + i] = current * b[BATTERY_INVERSE_C1] - v1 * b[BATTERY_RATE1];
  }
}

static void contact(const double* x) {
  double f[3] = {0, 0, 0}, m[3] = {0, 0, 0};
  const double d = x[X_POS_NED + 2];
  const int points = n[N_POINT_COUNT];
  const double* r = w.r;
  for (int i = 0; i < points; i += 1) {
    const double* c = p + P_POINT + i * POINT_STRIDE;
    const double rx = c[POINT_POSITION], ry = c[POINT_POSITION + 1], rz = c[POINT_POSITION + 2];
    const double depth = d + (r[6] * rx + r[7] * ry + r[8] * rz);
    if (depth <= 0) continue;
    const double sx = x[X_RATE_BODY + 1] * rz - x[X_RATE_BODY + 2] * ry;
    const double sy = x[X_RATE_BODY + 2] * rx - x[X_RATE_BODY] * rz;
    const double sz = x[X_RATE_BODY] * ry - x[X_RATE_BODY + 1] * rx;
    const double vn = x[X_VEL_NED] + (r[0] * sx + r[1] * sy + r[2] * sz);
    const double ve = x[X_VEL_NED + 1] + (r[3] * sx + r[4] * sy + r[5] * sz);
    const double vd = x[X_VEL_NED + 2] + (r[6] * sx + r[7] * sy + r[8] * sz);
    const double spring = c[POINT_STIFFNESS] * depth;
    const double hard = c[POINT_DISSIPATION] * spring;
    const double damping = (hard * depth) / (2e-4 + depth * (1 + hard * c[POINT_INVERSE_DAMPING]));
    const double normal = max_(0, spring + damping * vd);
    const double grip = c[POINT_FRICTION] * normal;
    const double soft = grip * c[POINT_INVERSE_GRIP];
    const double drag = grip / sqrt_(vn * vn + ve * ve + c[POINT_SLIP_SPEED2] + soft * soft);
    const double tn = -drag * vn, te = -drag * ve;
    const double bx = r[0] * tn + r[3] * te - r[6] * normal;
    const double by = r[1] * tn + r[4] * te - r[7] * normal;
    const double bz = r[2] * tn + r[5] * te - r[8] * normal;
    f[0] += tn;
    f[1] += te;
    f[2] -= normal;
    m[0] += ry * bz - rz * by;
    m[1] += rz * bx - rx * bz;
    m[2] += rx * by - ry * bx;
  }
  for (int k = 0; k < 3; k += 1) {
    w.contact[k] = f[k];
    w.contactMoment[k] = m[k];
  }
}

static void bodyDrag() {
  const double ax = w.air[0], ay = w.air[1], az = w.air[2];
  const double pressure = 0.5 * w.rho * sqrt_(ax * ax + ay * ay + az * az);
  const double fx = pressure * p[P_DRAG_AREA] * ax, fy = pressure * p[P_DRAG_AREA + 1] * ay, fz = pressure * p[P_DRAG_AREA + 2] * az;
  const double cx = p[P_DRAG_CENTRE], cy = p[P_DRAG_CENTRE + 1], cz = p[P_DRAG_CENTRE + 2];
  w.force[0] += fx;
  w.force[1] += fy;
  w.force[2] += fz;
  w.moment[0] += cy * fz - cz * fy;
  w.moment[1] += cz * fx - cx * fz;
  w.moment[2] += cx * fy - cy * fx;
}

static void body(double* dx, const double* x, const double* u) {
  const double* r = w.r;
  const double* wind = u + n[N_OFFSETS_WIND_NED];
  for (int k = 0; k < 3; k += 1) {
    const double force = r[3 * k] * w.force[0] + r[3 * k + 1] * w.force[1] + r[3 * k + 2] * w.force[2];
    dx[k] = x[X_VEL_NED + k];
    dx[X_VEL_NED + k] = (force + w.contact[k] - p[P_LINEAR_DRAG] * (x[X_VEL_NED + k] - wind[k])) * p[P_INVERSE_MASS];
  }
  dx[X_VEL_NED + 2] += w.gravity;
  const double qw = x[X_Q_BODY_TO_NED], qx = x[X_Q_BODY_TO_NED + 1], qy = x[X_Q_BODY_TO_NED + 2], qz = x[X_Q_BODY_TO_NED + 3];
  const double wx = x[X_RATE_BODY], wy = x[X_RATE_BODY + 1], wz = x[X_RATE_BODY + 2];
  dx[X_Q_BODY_TO_NED] = 0.5 * (-qx * wx - qy * wy - qz * wz);
  dx[X_Q_BODY_TO_NED + 1] = 0.5 * (qw * wx + qy * wz - qz * wy);
  dx[X_Q_BODY_TO_NED + 2] = 0.5 * (qw * wy - qx * wz + qz * wx);
  dx[X_Q_BODY_TO_NED + 3] = 0.5 * (qw * wz + qx * wy - qy * wx);
  const double* I = p + P_INERTIA;
  const double* J = p + P_INVERSE_INERTIA;
  const double hx = I[0] * wx + I[3] * wy + I[4] * wz + w.spin[0];
  const double hy = I[3] * wx + I[1] * wy + I[5] * wz + w.spin[1];
  const double hz = I[4] * wx + I[5] * wy + I[2] * wz + w.spin[2];
  const double mx = w.moment[0] + w.contactMoment[0] - p[P_ANGULAR_DAMPING] * wx - (wy * hz - wz * hy);
  const double my = w.moment[1] + w.contactMoment[1] - p[P_ANGULAR_DAMPING + 1] * wy - (wz * hx - wx * hz);
  const double mz = w.moment[2] + w.contactMoment[2] - p[P_ANGULAR_DAMPING + 2] * wz - (wx * hy - wy * hx);
  dx[X_RATE_BODY] = J[0] * mx + J[3] * my + J[4] * mz;
  dx[X_RATE_BODY + 1] = J[3] * mx + J[1] * my + J[5] * mz;
  dx[X_RATE_BODY + 2] = J[4] * mx + J[5] * my + J[2] * mz;
}

static void modelDerivatives(double* dx, const double* x, const double* u) {
  air(x, u);
  duties(dx, x, u);
  sources(x, u);
  busVoltages(x);
  rotors(dx, x);
  if (w.jammed != 0) jams(dx, x, u);
  batteries(dx, x);
  if (x[X_POS_NED + 2] + p[P_REACH] > 0) contact(x);
  else for (int k = 0; k < 3; k += 1) w.contact[k] = w.contactMoment[k] = 0;
  if (n[N_HAS_BODY_DRAG] != 0) bodyDrag();
  body(dx, x, u);
}

/* Code emitted for one vehicle may replace the equations; PREPARE runs once per interval. */
#ifdef EMITTED
#include EMITTED
#define derivatives emittedDerivatives
#else
#define PREPARE(x, u)
#define derivatives modelDerivatives
#endif

static void normalise(double* x) {
  double* q = x + X_Q_BODY_TO_NED;
  const double scale = 1 / sqrt_(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k += 1) q[k] *= scale;
}

enum { MAX_STATE_SIZE = 64 };
typedef double StateArray[MAX_STATE_SIZE];
static StateArray k1, k2, k3, k4, k5, k6, k7, stage, end_, error_;

EXPORT void plant_load(const double* parameters, int parameterCount, const int32_t* numbers, int numberCount, int stateSize) {
  for (int i = 0; i < parameterCount; i += 1) p[i] = parameters[i];
  for (int i = 0; i < numberCount; i += 1) n[i] = numbers[i];
  size = stateSize;
}

/* Space for callers that share our memory (WebAssembly). */
static double room[16384];
EXPORT double* plant_room() { return room; }

EXPORT void plant_rk4(double* x, const double* u, int steps, double us) {
  const double h = us / 1e6, half = 0.5 * h, sixth = (1.0 / 6) * h, third = (1.0 / 3) * h;
  for (int s = 0; s < steps; s += 1) {
    PREPARE(x, u);
    derivatives(k1, x, u);
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + half * k1[i];
    derivatives(k2, stage, u);
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + half * k2[i];
    derivatives(k3, stage, u);
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + h * k3[i];
    derivatives(k4, stage, u);
    for (int i = 0; i < size; i += 1) {
      const double low = sixth * k1[i] + third * k2[i] + third * k3[i];
      x[i] = x[i] + (low + sixth * k4[i]);
    }
    normalise(x);
  }
}

/* Dormand–Prince 5(4) with the controller of packages/core/src/integrate, with memory across intervals. */
static double wanted, previous;
static int wasRejected, isCut;

static double power(double value, int exponent) {
  double product = 1;
  for (int i = 0; i < exponent; i += 1) product *= value;
  return product;
}

static double root(double z) {
  if (!(z > power(0.2 / 0.9, 5))) return 0.2;
  if (z >= power(5 / 0.9, 5)) return 5;
  double y = 0.25, pw = power(0.25, 5);
  while (pw < z) {
    y *= 2;
    pw *= 32;
  }
  double next = y - ((pw - z) * y) / (5 * pw);
  while (next < y) {
    y = next;
    pw = y;
    for (int i = 1; i < 5; i += 1) pw *= y;
    next = y - ((pw - z) * y) / (5 * pw);
  }
  return 0.9 * y;
}

static double choose(double remaining) {
  const double want = wanted == 0 ? remaining : floor_(wanted);
  const double planned = max_(want, 1);
  const double half = ceil_(remaining / 2);
  double chosen = planned;
  if (planned >= remaining) chosen = remaining;
  else if (planned > half && half >= 1) chosen = half;
  isCut = chosen < planned;
  return chosen;
}

static void accept(double us, double measured) {
  const double err = max_(measured, 1e-10);
  double factor = root(isCut ? 1 / err : sqrt_(sqrt_(previous / (err * err * err))));
  if (wasRejected && factor > 1) factor = 1;
  const double proposed = us * factor;
  const bool silent = isCut && factor == 5 && proposed < wanted;
  if (!silent) wanted = proposed;
  if (!isCut) previous = max_(err, 1e-4);
  wasRejected = 0;
}

/* Tolerances, one per component; the attitude's is at its first component. */
static double absolute_[MAX_STATE_SIZE], relative_[MAX_STATE_SIZE];
EXPORT void plant_tolerances(const double* absolute, const double* relative) {
  for (int i = 0; i < size; i += 1) {
    absolute_[i] = absolute[i];
    relative_[i] = relative[i];
  }
}

static double measure(const double* start, const double* end, const double* e) {
  double worst = 0;
  for (int i = 0; i < size; i += 1) {
    if (i >= X_Q_BODY_TO_NED && i < X_Q_BODY_TO_NED + 4) continue;
    const double largest = max_(fabs_(start[i]), fabs_(end[i]));
    worst = max_(worst, fabs_(e[i]) / (absolute_[i] + relative_[i] * largest));
  }
  const double* q = end + X_Q_BODY_TO_NED;
  double o[4];
  for (int k = 0; k < 4; k += 1) o[k] = q[k] - e[X_Q_BODY_TO_NED + k];
  const double dot = q[0] * o[0] + q[1] * o[1] + q[2] * o[2] + q[3] * o[3];
  const double norm = sqrt_(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3]) * (dot < 0 ? -1 : 1);
  for (int k = 0; k < 4; k += 1) o[k] = q[k] - o[k] / norm;
  const double chord = sqrt_(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3]);
  return max_(worst, (2 * chord * (1 + (chord * chord) / 24)) / absolute_[X_Q_BODY_TO_NED]);
}

static void step45(const double* x, const double* u, double us) {
  const double h = us / 1e6;
  {
    const double a = (1.0 / 5) * h;
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + a * k1[i];
  }
  derivatives(k2, stage, u);
  {
    const double a = (3.0 / 40) * h, b = (9.0 / 40) * h;
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + (a * k1[i] + b * k2[i]);
  }
  derivatives(k3, stage, u);
  {
    const double a = (44.0 / 45) * h, b = (-56.0 / 15) * h, c = (32.0 / 9) * h;
    for (int i = 0; i < size; i += 1) stage[i] = x[i] + (a * k1[i] + b * k2[i] + c * k3[i]);
  }
  derivatives(k4, stage, u);
  {
    const double a = (19372.0 / 6561) * h, b = (-25360.0 / 2187) * h, c = (64448.0 / 6561) * h, d = (-212.0 / 729) * h;
    for (int i = 0; i < size; i += 1) {
      const double low = a * k1[i] + b * k2[i] + c * k3[i];
      stage[i] = x[i] + (low + d * k4[i]);
    }
  }
  derivatives(k5, stage, u);
  {
    const double a = (9017.0 / 3168) * h, b = (-355.0 / 33) * h, c = (46732.0 / 5247) * h, d = (49.0 / 176) * h, e = (-5103.0 / 18656) * h;
    for (int i = 0; i < size; i += 1) {
      const double low = a * k1[i] + b * k2[i] + c * k3[i];
      stage[i] = x[i] + (low + d * k4[i] + e * k5[i]);
    }
  }
  derivatives(k6, stage, u);
  {
    const double a = (35.0 / 384) * h, c = (500.0 / 1113) * h, d = (125.0 / 192) * h, e = (-2187.0 / 6784) * h, f = (11.0 / 84) * h;
    for (int i = 0; i < size; i += 1) {
      const double low = a * k1[i] + c * k3[i] + d * k4[i];
      end_[i] = x[i] + (low + e * k5[i] + f * k6[i]);
    }
  }
  normalise(end_);
  derivatives(k7, end_, u);
  {
    const double a = (71.0 / 57600) * h, c = (-71.0 / 16695) * h, d = (71.0 / 1920) * h, e = (-17253.0 / 339200) * h, f = (22.0 / 525) * h, g = (-1.0 / 40) * h;
    for (int i = 0; i < size; i += 1) {
      const double low = a * k1[i] + c * k3[i] + d * k4[i];
      error_[i] = 0 + (low + e * k5[i] + f * k6[i] + g * k7[i]);
    }
  }
}

/* `fresh` discards the step size and the last derivatives. Returns the number of steps tried. */
EXPORT int plant_rk45(double* x, const double* u, int intervals, double us, int fresh) {
  int tries = 0;
  if (fresh) {
    wanted = 0;
    previous = 1;
    wasRejected = 0;
    PREPARE(x, u);
    derivatives(k1, x, u);
  }
  for (int s = 0; s < intervals; s += 1) {
    double at = 0;
    PREPARE(x, u);
    while (at < us) {
      const double chosen = choose(us - at);
      step45(x, u, chosen);
      const double err = measure(x, end_, error_);
      tries += 1;
      if (!(err <= 1) && chosen > 1) {
        wanted = chosen * root(1 / err);
        wasRejected = 1;
        continue;
      }
      accept(chosen, err);
      at += chosen;
      for (int i = 0; i < size; i += 1) {
        x[i] = end_[i];
        k1[i] = k7[i];
      }
    }
  }
  return tries;
}

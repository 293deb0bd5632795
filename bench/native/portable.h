// exp and log as in packages/core/src/math, operation by operation. The caller passes the tables of the TypeScript
// functions, so that pressure has the same bits in both logs.

#pragma once
#include <stdint.h>

static const double* expTable;
static const double* logTable;

EXPORT void portable_tables(const double* forExp, const double* forLog) {
  expTable = forExp;
  logTable = forLog;
}

static inline int32_t highWord(double x) {
  int64_t bits;
  __builtin_memcpy(&bits, &x, 8);
  return (int32_t)(bits >> 32);
}

/* 2^k for a normal result. */
static inline double powerOfTwo(int k) {
  const int64_t bits = (int64_t)(k + 1023) << 52;
  double value;
  __builtin_memcpy(&value, &bits, 8);
  return value;
}

/* e^x for results that are normal numbers. */
static inline double exp_(double x) {
  const double ROUND = 6755399441055744.0;
  const double steps = x * 46.16624130844683 + ROUND - ROUND;
  const int whole = (int)steps;
  const double* root = expTable + 2 * (whole & 31);
  const double r = x - steps * 0.02166084938653512 - steps * 5.963171653970587e-12 + 0.0;
  const double rr = r * r;
  const double tail = 0.04166666666622508 + r * 0.00833336811938362 + rr * 0.0013888949157851624;
  const double fraction = r + rr * (0.5 + r * 0.1666666666652499 + rr * tail);
  return (root[0] + (root[0] * fraction + root[1])) * powerOfTwo(whole >> 5);
}

/* log of a normal number above zero. */
static inline double log_(double x) {
  const double CUT = 6442450944.0;
  const int32_t place = highWord(x) - 0x3fe6a000;
  const int exponent = place >> 20;
  const double* row = logTable + 3 * ((place >> 14) & 63);
  const double z = x * powerOfTwo(-exponent);
  const double zHi = z + CUT - CUT;
  const double rHi = zHi * row[0] - 1;
  const double rLo = (z - zHi) * row[0];
  const double r = rHi + rLo;
  const double base = exponent * 0.6931471805598903 + row[1];
  const double hi = base + r;
  const double rounded = base - hi + r + (rHi - r + rLo);
  const double rr = r * r;
  const double series = rr * (-0.5 + r * 0.3333333333333333 + rr * (-0.250000000000006 + r * 0.2000000000001687) +
                              rr * rr * (-0.16666666616367962 + r * 0.14285713669761793 + rr * -0.12501271945199793));
  return hi + (rounded + (exponent * 5.497923018708371e-14 + row[2]) + series);
}

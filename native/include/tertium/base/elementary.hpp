// Exponentials, logarithms, powers and related functions with the same bits on every processor, compiler and
// C library.
//
// C libraries choose among versions with and without fused multiply-add, so their last digits differ between
// machines. These functions use additions and multiplications of doubles only, in pairs of doubles (Dekker
// 1971) with an error below 2^-65 of the result, so the results of the first six are exact values rounded to
// the nearest double for nearly all arguments. Tables and reductions follow Tang (1989, 1990). Needs
// -ffp-contract=off.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tertium/base/simd.hpp"

namespace tertium {

namespace elementary {

// The unevaluated sum of two doubles, of which the second is at most half a unit in the last place of the
// first.
struct Pair {
  double high, low;
};

TERTIUM_INLINE Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

TERTIUM_INLINE Pair two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double product = a * b;
  const double wide_a = kSplit * a, high_a = wide_a - (wide_a - a), low_a = a - high_a;
  const double wide_b = kSplit * b, high_b = wide_b - (wide_b - b), low_b = b - high_b;
  return {product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

TERTIUM_INLINE Pair operator+(const Pair& a, const Pair& b) {
  const Pair high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  const Pair most = two_sum(high.high, high.low + low.high);
  return two_sum(most.high, most.low + low.low);
}

TERTIUM_INLINE Pair operator*(const Pair& a, const Pair& b) {
  const Pair product = two_product(a.high, b.high);
  return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// The nearest integer for |x| < 2^51, without a call of the C library.
TERTIUM_INLINE double round_to_even(double x) {
  constexpr double kRounder = 0x1.8p52;
  return (x + kRounder) - kRounder;
}

inline Pair halve(const Pair& a) { return {0.5 * a.high, 0.5 * a.low}; }

inline constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr Pair kLog2E{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr Pair kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};

constexpr int kSteps = 128;  // steps of the tables between 1 and 2

inline Pair divide(double a, double b) {
  const double quotient = a / b;
  const Pair product = two_product(quotient, b);
  return {quotient, ((a - product.high) - product.low) / b};
}

// e^x for 0 <= x < 1, by its Taylor series.
inline Pair sum_exponential(const Pair& x) {
  Pair sum{1.0, 0.0};
  for (int n = 32; n > 0; --n) sum = Pair{1.0, 0.0} + x * divide(1.0, n) * sum;
  return sum;
}

// ln x for x near 1: twice the area tangent of (x - 1) / (x + 1).
inline Pair sum_logarithm(double x) {
  const Pair argument = divide(x - 1.0, x + 1.0), square = argument * argument;
  Pair sum{0.0, 0.0};
  for (int n = 51; n > 0; n -= 2) sum = divide(1.0, n) + square * sum;
  return Pair{2.0, 0.0} * argument * sum;
}

// 2^(i / kSteps).
inline const std::array<Pair, kSteps> kRoots = [] {
  std::array<Pair, kSteps> roots{};
  for (std::size_t i = 0; i < kSteps; ++i)
    roots[i] = sum_exponential(kLn2 * Pair{static_cast<double>(i) / kSteps, 0.0});
  return roots;
}();

// Short reciprocals of 1 + i / kSteps, from i = kFirst on, and minus their logarithms.
struct Reciprocal {
  double value;
  Pair logarithm;
};
constexpr int kFirst = -38, kLast = 54;
inline const std::array<Reciprocal, kLast - kFirst + 1> kReciprocals = [] {
  std::array<Reciprocal, kLast - kFirst + 1> made{};
  for (int i = kFirst; i <= kLast; ++i) {
    const double value = std::nearbyint(2048.0 / (1.0 + static_cast<double>(i) / kSteps)) / 2048.0;
    const Pair logarithm = sum_logarithm(value);
    made[static_cast<std::size_t>(i - kFirst)] = {value, {-logarithm.high, -logarithm.low}};
  }
  return made;
}();

// root + root * excess, times 2^power, is e^x.
struct Exponential {
  Pair root, excess;
  int power;
};

// ln 2 / kSteps in three parts; products of the first two with a step number of 18 bits are exact.
constexpr double kStepHigh = 0x1.62e42fefcp-8;
constexpr double kStepMiddle = -0x1.c610ca86cp-44;
constexpr double kStepLow = -0x1.c4c67fc0d0951p-83;

inline Exponential split_exponential(const Pair& x) {
  const double step = round_to_even(x.high * (kSteps * kLog2E.high));
  const Pair most = two_sum(x.high, -step * kStepHigh);
  const Pair rest = most + two_sum(-step * kStepMiddle, x.low - step * kStepLow);
  const double r = rest.high;
  const double tail =
      r * r * r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040)))));
  const Pair excess = rest + halve(rest * rest) + Pair{tail, 0.0};
  const int number = static_cast<int>(step);
  const int root = ((number % kSteps) + kSteps) % kSteps;
  return {kRoots[static_cast<std::size_t>(root)], excess, (number - root) / kSteps};
}

inline double join_exponential(const Exponential& parts) {
  const Pair value = parts.root + parts.root * parts.excess;
  return std::ldexp(value.high, parts.power);
}

// e^x by single doubles, for |x| < kMaxQuickPower, or 0 where their error of at most 2^-60 leaves open to
// which number the exact value rounds: for about one argument in sixty (Ziv 1991). So pairs of doubles are
// rarely needed, and they decide every uncertain digit.
constexpr double kMaxQuickPower = 690;  // beyond, results may be subnormal or infinite
TERTIUM_INLINE double try_exponential(double x) {
  const double step = round_to_even(x * (kSteps * kLog2E.high));
  const double most = x - step * kStepHigh;  // exact
  const double r = most - step * kStepMiddle;
  const double low = ((most - r) - step * kStepMiddle) - step * kStepLow;
  const double tail =
      low + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720)))));
  const auto number = static_cast<int>(step), place = number & (kSteps - 1);
  const Pair& root = kRoots[static_cast<std::size_t>(place)];
  const double excess = root.high * r;
  const double high = root.high + excess;
  const double rest = ((root.high - high) + excess) + (root.low + root.high * tail);
  constexpr double kError = 0x1p-59;
  const double value = high + (rest - kError);
  if (value != high + (rest + kError)) return 0;
  const auto exponent = static_cast<std::uint64_t>(1023 + (number - place) / kSteps);
  return value * std::bit_cast<double>(exponent << 52);  // value * 2^((number - place) / kSteps)
}

// The logarithm of x = significand * 2^power, 0 < x: that of the significand, which is near 1, and the power.
struct Logarithm {
  Pair significand;
  int power;
};

inline Logarithm split_logarithm(double x) {
  int power = 0;
  double significand = std::frexp(x, &power);
  if (significand < 0.70710678118654752) {
    significand *= 2;
    --power;
  }
  const auto i = static_cast<int>(round_to_even((significand - 1.0) * kSteps));
  const Reciprocal& reciprocal = kReciprocals[static_cast<std::size_t>(i - kFirst)];
  const Pair product = two_product(significand, reciprocal.value);
  const Pair rest = two_sum(product.high - 1.0, product.low);  // the difference is exact
  const double z = rest.high;
  double tail = 0;
  for (int n = 13; n >= 4; --n) tail = (n % 2 == 0 ? -1.0 : 1.0) / n + z * tail;
  const Pair square = rest * rest;
  const Pair lower = square * rest * kThird + Pair{z * z * (z * z) * tail, 0.0};
  return {reciprocal.logarithm + (rest + (Pair{-0.5 * square.high, -0.5 * square.low} + lower)), power};
}

inline Pair join_logarithm(const Logarithm& parts) {
  return kLn2 * Pair{static_cast<double>(parts.power), 0.0} + parts.significand;
}

constexpr double kMaxPower = 750;  // e^x overflows or underflows to 0 beyond this

}  // namespace elementary

inline double exp(double x) {
  if (!(std::abs(x) < elementary::kMaxPower)) return std::exp(x);
  if (std::abs(x) < elementary::kMaxQuickPower)
    if (const double rounded = elementary::try_exponential(x); rounded > 0) return rounded;
  return elementary::join_exponential(elementary::split_exponential({x, 0.0}));
}

inline double expm1(double x) {
  if (x == 0 || !(std::abs(x) < elementary::kMaxPower)) return std::expm1(x);
  const auto parts = elementary::split_exponential({x, 0.0});
  if (parts.power > 60) return elementary::join_exponential(parts);
  const auto scale = [&](const elementary::Pair& a) {
    return elementary::Pair{std::ldexp(a.high, parts.power), std::ldexp(a.low, parts.power)};
  };
  return (scale(parts.root) + elementary::Pair{-1.0, 0.0} + scale(parts.root * parts.excess)).high;
}

inline double log(double x) {
  if (!(x > 0) || !std::isfinite(x)) return std::log(x);
  return elementary::join_logarithm(elementary::split_logarithm(x)).high;
}

inline double log2(double x) {
  if (!(x > 0) || !std::isfinite(x)) return std::log2(x);
  const auto parts = elementary::split_logarithm(x);
  return (elementary::Pair{static_cast<double>(parts.power), 0.0} + elementary::kLog2E * parts.significand)
      .high;
}

inline double pow(double base, double exponent) {
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) && exponent == std::trunc(exponent))
    return std::fmod(exponent, 2.0) == 0 ? pow(-base, exponent) : -pow(-base, exponent);
  if (!(base > 0) || !std::isfinite(base) || !std::isfinite(exponent)) return std::pow(base, exponent);
  const auto logarithm = elementary::join_logarithm(elementary::split_logarithm(base));
  if (!(std::abs(exponent * logarithm.high) < elementary::kMaxPower)) return std::pow(base, exponent);
  return elementary::join_exponential(
      elementary::split_exponential(logarithm * elementary::Pair{exponent, 0.0}));
}

inline double log1p(double x) {
  if (!(x > -1) || !std::isfinite(x)) return std::log1p(x);
  const auto sum = elementary::two_sum(1.0, x);
  const auto logarithm = elementary::join_logarithm(elementary::split_logarithm(sum.high));
  return (logarithm + elementary::divide(sum.low, sum.high)).high;
}

// The complementary error function: by the series of the error function (DLMF 7.6.2), from 3 on by a
// continued fraction (7.9.1).
inline double erfc(double x) {
  using elementary::Pair;
  if (std::isnan(x) || x > 30) return std::isnan(x) ? x : 0.0;
  if (x < 0) return 2.0 - erfc(-x);
  const Pair square = elementary::two_product(x, x);
  const auto parts = elementary::split_exponential({-square.high, -square.low});
  constexpr Pair kRootPi{0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca89p-54};
  if (x >= 3) {
    double fraction = 1;
    for (int n = 80; n > 0; --n) fraction = 1 + n / (2 * square.high) / fraction;
    return elementary::join_exponential(parts) / (x * kRootPi.high * fraction);
  }
  Pair sum{0.0, 0.0};
  for (int n = 80; n >= 0; --n)
    sum = Pair{1.0, 0.0} + Pair{2.0, 0.0} * square * elementary::divide(1.0, 2 * n + 3) * sum;
  const double inverse = 2.0 / kRootPi.high;
  const Pair correction = kRootPi * Pair{inverse, 0.0};
  const Pair factor{inverse, ((2.0 - correction.high) - correction.low) / kRootPi.high};
  const Pair root = parts.root + parts.root * parts.excess;
  const Pair exponential{std::ldexp(root.high, parts.power), std::ldexp(root.low, parts.power)};
  const Pair error = factor * Pair{x, 0.0} * exponential * sum;
  return (Pair{1.0, 0.0} + Pair{-error.high, -error.low}).high;
}

// The logarithm of the gamma function of a positive number, by Stirling's series (DLMF 5.11.1).
inline double lgamma(double x) {
  if (!(x > 0) || !std::isfinite(x)) return std::lgamma(x);
  double product = 1;
  for (; x < 16; ++x) product *= x;
  const double inverse = 1 / x, square = inverse * inverse;
  const double series =
      inverse *
      (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))));
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (x - 0.5) * log(x) - x + kHalfLogTwoPi + series - log(product);
}

// A function that remembers its results for recent arguments. The logarithms of counts and their ratios
// repeat: 48,000 n-grams of a test set have 649 different weights.
template <typename Function>
class Remembered {
 public:
  explicit Remembered(const Function& function) : function_(function), slots_(kSlots) {}

  double operator()(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    Slot& slot = slots_[(bits * 0x9e3779b97f4a7c15ULL) >> (64 - kSlotBits)];
    if (!slot.is_used || slot.argument != bits) slot = {bits, function_(x), true};
    return slot.result;
  }

 private:
  static constexpr int kSlotBits = 10;  // 24 kB, a first-level cache
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  struct Slot {
    std::uint64_t argument;
    double result;
    bool is_used;
  };

  Function function_;
  std::vector<Slot> slots_;
};

}  // namespace tertium

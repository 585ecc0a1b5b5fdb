// A choice of instructions at run time that does not change any digit: one build serves all processors, and
// wide registers are used where there are some. TERTIUM_BASELINE=1 in the environment computes without them,
// so that a test can compare.
#pragma once

#include <cstdlib>

#if defined(__GNUC__)
#define TERTIUM_INLINE __attribute__((always_inline)) inline
#else
#define TERTIUM_INLINE inline
#endif

// Without fused multiply-add, so that every instruction set rounds alike.
#if defined(__GNUC__) && defined(__x86_64__)
#define TERTIUM_HAS_AVX2 1
#define TERTIUM_AVX __attribute__((target("avx")))
#define TERTIUM_AVX2 __attribute__((target("avx2,popcnt")))
#else
#define TERTIUM_HAS_AVX2 0
#define TERTIUM_AVX
#define TERTIUM_AVX2
#endif

namespace tertium {

inline bool computes_plainly() {
  static const bool asked = std::getenv("TERTIUM_BASELINE") != nullptr;
  return asked;
}

inline bool prefers_avx() {
#if TERTIUM_HAS_AVX2
  static const bool found = __builtin_cpu_supports("avx") != 0 && !computes_plainly();
  return found;
#else
  return false;
#endif
}

inline bool prefers_avx2() {
#if TERTIUM_HAS_AVX2
  static const bool found =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0 && !computes_plainly();
  return found;
#else
  return false;
#endif
}

}  // namespace tertium

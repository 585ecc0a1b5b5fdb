// A choice of instructions at run time that does not change any digit.
#pragma once

#if defined(__GNUC__)
#define TERTIUM_INLINE __attribute__((always_inline)) inline
#else
#define TERTIUM_INLINE inline
#endif

// Without fused multiply-add, so that every instruction set rounds alike.
#if defined(__GNUC__) && defined(__x86_64__)
#define TERTIUM_HAS_AVX2 1
#define TERTIUM_AVX2 __attribute__((target("avx2,popcnt")))
#else
#define TERTIUM_HAS_AVX2 0
#define TERTIUM_AVX2
#endif

namespace tertium {

inline bool prefers_avx2() {
#if TERTIUM_HAS_AVX2
  static const bool found = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return found;
#else
  return false;
#endif
}

}  // namespace tertium

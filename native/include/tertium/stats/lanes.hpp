// Four doubles side by side, and a choice of instructions at run time that does not change any digit.
#pragma once

#include <cstddef>

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

#if defined(__GNUC__)
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

TERTIUM_INLINE const Four& four_at(const double* place) { return *reinterpret_cast<const Four*>(place); }
TERTIUM_INLINE Four& four_at(double* place) { return *reinterpret_cast<Four*>(place); }
#else
struct Four {
  double values[4];
  Four& operator+=(const Four& other) {
    for (std::size_t i = 0; i < 4; ++i) values[i] += other.values[i];
    return *this;
  }
  friend Four operator+(Four one, const Four& other) { return one += other; }
  friend Four operator*(double factor, Four one) {
    for (double& value : one.values) value *= factor;
    return one;
  }
};

inline const Four& four_at(const double* place) { return *reinterpret_cast<const Four*>(place); }
inline Four& four_at(double* place) { return *reinterpret_cast<Four*>(place); }
#endif

}  // namespace tertium

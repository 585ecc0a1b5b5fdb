// Neighbouring numbers side by side: four doubles, or sixteen numbers of 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tertium/base/simd.hpp"

namespace tertium {

inline constexpr std::size_t kLaneBytes = 32;

#if defined(__GNUC__)
typedef double Four __attribute__((vector_size(kLaneBytes), aligned(8), may_alias));
typedef std::int16_t Sixteen __attribute__((vector_size(kLaneBytes), aligned(2), may_alias));
#else
template <typename Number>
struct Lanes {
  static constexpr std::size_t kCount = kLaneBytes / sizeof(Number);
  Number values[kCount];
  Lanes& operator+=(const Lanes& other) {
    for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<Number>(values[i] + other.values[i]);
    return *this;
  }
  friend Lanes operator+(Lanes one, const Lanes& other) { return one += other; }
  friend Lanes operator*(Number factor, Lanes one) {
    for (Number& value : one.values) value *= factor;
    return one;
  }
};
using Four = Lanes<double>;
using Sixteen = Lanes<std::int16_t>;
#endif

TERTIUM_INLINE const Four& lanes_at(const double* place) { return *reinterpret_cast<const Four*>(place); }
TERTIUM_INLINE Four& lanes_at(double* place) { return *reinterpret_cast<Four*>(place); }
TERTIUM_INLINE const Sixteen& lanes_at(const std::int16_t* place) {
  return *reinterpret_cast<const Sixteen*>(place);
}
TERTIUM_INLINE Sixteen& lanes_at(std::int16_t* place) { return *reinterpret_cast<Sixteen*>(place); }

}  // namespace tertium

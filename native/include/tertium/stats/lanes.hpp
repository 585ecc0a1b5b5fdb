// Four doubles side by side.
#pragma once

#include <cstddef>

#include "tertium/base/instructions.hpp"

namespace tertium {

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

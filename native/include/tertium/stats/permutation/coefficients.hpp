// The coefficients of agreement between a metric and people that PERM-BOTH knows, by the names that Python
// uses.
#pragma once

#include <cstddef>
#include <span>

#include "tertium/base/named.hpp"

namespace tertium {

enum class Coefficient { kPearson, kKendall, kRed, kAccuracy, kSpearman, kKendallC };

inline constexpr Named<Coefficient> kCoefficients[] = {
    {"pearson", Coefficient::kPearson},   {"kendall", Coefficient::kKendall},
    {"red", Coefficient::kRed},           {"accuracy", Coefficient::kAccuracy},
    {"spearman", Coefficient::kSpearman}, {"kendall-c", Coefficient::kKendallC},
};

// Those of which item_mixtures.hpp can make a table of all mixtures.
inline constexpr std::span<const Named<Coefficient>> kTabledCoefficients = std::span(kCoefficients).first(4);

}  // namespace tertium

// A budget of steps: what a search may do, counted in registers of cells and blocks looked at, so that the
// same pair stops at the same place on every machine. A core of 2024 does a hundred million or two a second.
#pragma once

#include <cstdint>

#include "tertium/inversion/tables.hpp"

namespace tertium {

class StepBudget {
 public:
  StepBudget() = default;
  explicit StepBudget(std::uint64_t steps) : left_(steps) {}

  void spend(std::uint64_t steps) {
    if (steps > left_) throw SearchTooLarge();
    left_ -= steps;
  }

 private:
  std::uint64_t left_ = UINT64_MAX;
};

}  // namespace tertium

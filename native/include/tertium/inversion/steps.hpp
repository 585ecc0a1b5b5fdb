// A budget of steps for a search, counted in registers of cells and blocks visited, so that the same pair
// stops at the same place on every machine. A core of 2024 does one or two hundred million steps per second.
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

// As many cells as a vector register of the baseline instruction set holds, added and compared lane by lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tertium/base/simd.hpp"
#include "tertium/inversion/costs.hpp"

namespace tertium {

template <typename Cell>
inline constexpr std::size_t kLanes = 16 / sizeof(Cell);

#if defined(__GNUC__)
template <typename Cell>
struct Register {
  typedef Cell Values __attribute__((vector_size(16)));
  Values values;

  TERTIUM_INLINE static Register all(Cell cell) { return {cell - Values{}}; }
  TERTIUM_INLINE static Register read(const Cell* cells) {
    Register read;
    std::memcpy(&read.values, cells, sizeof(Values));
    return read;
  }
  TERTIUM_INLINE void write(Cell* cells) const { std::memcpy(cells, &values, sizeof(Values)); }

  TERTIUM_INLINE Register plus(const Register& other) const { return {values + other.values}; }
  TERTIUM_INLINE Register minus(const Register& other) const { return {values - other.values}; }
  TERTIUM_INLINE Register shifted(int bits) const { return {values >> static_cast<Cell>(bits)}; }
  TERTIUM_INLINE Register least(const Register& other) const {
    return {values < other.values ? values : other.values};
  }
  TERTIUM_INLINE Register most(const Register& other) const {
    return {values > other.values ? values : other.values};
  }
  // Each lane if it is at most the other's, else `none`.
  TERTIUM_INLINE Register up_to(const Register& other) const {
    return {values <= other.values ? values : all(CellTraits<Cell>::none).values};
  }
  TERTIUM_INLINE bool any_up_to(const Register& other) const { return any(values <= other.values); }
  TERTIUM_INLINE bool is_none() const { return !any(values != all(CellTraits<Cell>::none).values); }

 private:
  template <typename Mask>
  TERTIUM_INLINE static bool any(const Mask& mask) {
    std::uint64_t words[2];
    std::memcpy(words, &mask, sizeof(words));
    return (words[0] | words[1]) != 0;
  }
};
#else
template <typename Cell>
struct Register {
  Cell values[kLanes<Cell>];

  template <typename Of>
  static Register each(const Of& of) {
    Register made;
    for (std::size_t l = 0; l < kLanes<Cell>; ++l) made.values[l] = static_cast<Cell>(of(l));
    return made;
  }
  static Register all(Cell cell) {
    return each([=](std::size_t) { return cell; });
  }
  static Register read(const Cell* cells) {
    return each([=](std::size_t l) { return cells[l]; });
  }
  void write(Cell* cells) const { std::memcpy(cells, values, sizeof(values)); }

  Register plus(const Register& other) const {
    return each([&](std::size_t l) { return values[l] + other.values[l]; });
  }
  Register minus(const Register& other) const {
    return each([&](std::size_t l) { return values[l] - other.values[l]; });
  }
  Register shifted(int bits) const {
    return each([&](std::size_t l) { return values[l] >> bits; });
  }
  Register least(const Register& other) const {
    return each([&](std::size_t l) { return values[l] < other.values[l] ? values[l] : other.values[l]; });
  }
  Register most(const Register& other) const {
    return each([&](std::size_t l) { return values[l] > other.values[l] ? values[l] : other.values[l]; });
  }
  Register up_to(const Register& other) const {
    return each(
        [&](std::size_t l) { return values[l] <= other.values[l] ? values[l] : CellTraits<Cell>::none; });
  }
  bool any_up_to(const Register& other) const {
    for (std::size_t l = 0; l < kLanes<Cell>; ++l)
      if (values[l] <= other.values[l]) return true;
    return false;
  }
  bool is_none() const {
    for (const Cell value : values)
      if (value != CellTraits<Cell>::none) return false;
    return true;
  }
};
#endif

}  // namespace tertium

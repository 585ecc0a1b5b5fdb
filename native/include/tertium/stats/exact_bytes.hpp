// Exact sums as bytes, for another process or machine: equal sums have equal bytes.
//
// "TXS1", the number of columns and of rows (64 bits each), then each column's special values (8 bits) and
// limbs (32 bits each); all numbers little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/stats/exact_columns.hpp"

namespace tertium {

inline constexpr std::array<std::uint8_t, 4> kExactMark{'T', 'X', 'S', '1'};
inline constexpr std::size_t kExactHeader = kExactMark.size() + 16;
inline constexpr std::size_t kExactColumn = 1 + 4 * ExactSum::kLimbs;

template <typename Number>
void append_number(std::vector<std::uint8_t>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i) & 0xff));
}

template <typename Number>
Number number_at(std::span<const std::uint8_t> bytes, std::size_t place) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) number |= static_cast<Number>(bytes[place + i]) << (8 * i);
  return number;
}

inline std::vector<std::uint8_t> to_bytes(const ExactColumns& columns) {
  std::vector<std::uint8_t> bytes(kExactMark.begin(), kExactMark.end());
  bytes.reserve(kExactHeader + columns.size() * kExactColumn);
  append_number(bytes, static_cast<std::uint64_t>(columns.size()));
  append_number(bytes, columns.n_rows());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    bytes.push_back(columns[column].specials());
    for (const std::uint32_t limb : columns[column].canonical_limbs()) append_number(bytes, limb);
  }
  return bytes;
}

inline ExactColumns exact_columns_from(std::span<const std::uint8_t> bytes) {
  bool fits = bytes.size() >= kExactHeader;
  for (std::size_t i = 0; fits && i < kExactMark.size(); ++i) fits = bytes[i] == kExactMark[i];
  if (!fits) throw std::invalid_argument("these bytes are no exact sums");
  const auto n_columns = number_at<std::uint64_t>(bytes, kExactMark.size());
  if (n_columns != (bytes.size() - kExactHeader) / kExactColumn ||
      (bytes.size() - kExactHeader) % kExactColumn != 0)
    throw std::invalid_argument("these bytes are a damaged exact sum: their length does not fit");
  ExactColumns columns(static_cast<std::size_t>(n_columns));
  columns.count_rows(number_at<std::uint64_t>(bytes, kExactMark.size() + 8));
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::size_t begin = kExactHeader + column * kExactColumn;
    std::array<std::uint32_t, ExactSum::kLimbs> limbs{};
    for (std::size_t i = 0; i < limbs.size(); ++i)
      limbs[i] = number_at<std::uint32_t>(bytes, begin + 1 + 4 * i);
    columns[column] = ExactSum::from_limbs(limbs, bytes[begin]);
  }
  return columns;
}

}  // namespace tertium

// Exact sums as bytes, for another process or machine. Linear.
//
// "TXS1", the number of columns and of rows (64 bits each), then each column's special values (8 bits) and
// limbs (32 bits each); all numbers little-endian. Equal sums have equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tertium/stats/resampling/poisson_sums.hpp"
#include "tertium/stats/sums/exact_columns.hpp"

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
  if (!fits) throw std::invalid_argument("these bytes are not exact sums");
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

// The format: "TXP1", the numbers of samples, columns and rows, the first sample and the key; then each
// column's first limb, number of limbs and limbs, sample after sample. The bytes depend on the order of the
// additions, the sums do not.
inline constexpr std::array<std::uint8_t, 4> kPoissonMark{'T', 'X', 'P', '1'};

inline std::vector<std::uint8_t> to_bytes(PoissonSums sums) {
  std::vector<std::uint8_t> bytes(kPoissonMark.begin(), kPoissonMark.end());
  for (const std::uint64_t number : {std::uint64_t{sums.samples()}, std::uint64_t{sums.columns()},
                                     sums.n_rows(), sums.first(), sums.key()[0], sums.key()[1]})
    append_number(bytes, number);
  for (std::size_t column = 0; column < sums.columns(); ++column) {
    ExactWindow& window = sums[column];
    window.carry();
    append_number(bytes, static_cast<std::uint64_t>(window.first()));
    append_number(bytes, static_cast<std::uint64_t>(window.width()));
    for (const std::int64_t limb : window.limbs()) append_number(bytes, static_cast<std::uint64_t>(limb));
  }
  return bytes;
}

// Reads numbers one after another; throws at the end of the bytes.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t next() {
    if (bytes_.size() - at_ < 8)
      throw std::invalid_argument("these bytes are damaged Poisson sums: they end early");
    at_ += 8;
    return number_at<std::uint64_t>(bytes_, at_ - 8);
  }

  std::size_t n_left() const { return (bytes_.size() - at_) / 8; }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

inline ExactWindow read_window(ByteReader& reader, std::size_t samples) {
  const std::uint64_t first = reader.next(), width = reader.next();
  if (width > ExactSum::kLimbs || first > ExactSum::kLimbs - width || width * samples > reader.n_left())
    throw std::invalid_argument("these bytes are damaged Poisson sums: a number does not fit");
  std::vector<std::int64_t> limbs(static_cast<std::size_t>(width) * samples);
  for (auto& limb : limbs) limb = static_cast<std::int64_t>(reader.next());
  return ExactWindow(samples, static_cast<std::size_t>(first), std::move(limbs));
}

inline PoissonSums poisson_sums_from(std::span<const std::uint8_t> bytes) {
  bool fits = bytes.size() >= kPoissonMark.size();
  for (std::size_t i = 0; fits && i < kPoissonMark.size(); ++i) fits = bytes[i] == kPoissonMark[i];
  if (!fits) throw std::invalid_argument("these bytes are not Poisson sums");
  ByteReader reader(bytes.subspan(kPoissonMark.size()));
  const std::uint64_t samples = reader.next(), columns = reader.next(), rows = reader.next();
  const std::uint64_t first = reader.next();
  const PhiloxKey key{reader.next(), reader.next()};
  if (columns > reader.n_left() || samples > 0xffffffff)
    throw std::invalid_argument("these bytes are damaged Poisson sums: a number does not fit");
  PoissonSums sums(static_cast<std::size_t>(samples), static_cast<std::size_t>(columns), key, first);
  sums.count_rows(rows);
  for (std::size_t column = 0; column < sums.columns(); ++column)
    sums[column] = read_window(reader, sums.samples());
  if (!reader.is_at_end())
    throw std::invalid_argument("these bytes are damaged Poisson sums: something follows");
  return sums;
}

}  // namespace tertium

// Many exact sums of numbers of similar size: superaccumulators that keep only the limbs in use.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tertium/stats/sums/exact_sum.hpp"

namespace tertium {

// `count` sums whose limbs [first, first + width) are in use; those of sum i begin at i * width.
class ExactWindow {
 public:
  explicit ExactWindow(std::size_t count = 0) : count_(count) {}
  ExactWindow(std::size_t count, std::size_t first, std::vector<std::int64_t> limbs)
      : count_(count),
        first_(first),
        width_(count == 0 ? 0 : limbs.size() / count),
        limbs_(std::move(limbs)) {}

  std::size_t count() const { return count_; }
  std::size_t first() const { return first_; }
  std::size_t width() const { return width_; }
  std::span<const std::int64_t> limbs() const { return limbs_; }

  // Adds a finite number to every sum.
  void add(std::span<const double> values) {
    std::size_t low = ExactSum::kLimbs, high = 0;
    for (const double value : values) {
      if (value == 0) continue;
      low = std::min(low, limb_of(value));
      high = std::max(high, limb_of(value));
    }
    if (low > high) return;
    widen(low, std::min(high + kHeadroom, ExactSum::kLimbs));
    for (std::size_t i = 0; i < count_; ++i) ExactSum::deposit(values[i], limbs_.data() + i * width_, first_);
    if (++waiting_ >= ExactSum::kMaxWaiting) carry();
  }

  void merge(ExactWindow other) {
    if (other.width_ == 0) return;
    other.carry();
    widen(other.first_, other.first_ + other.width_);
    carry();
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < other.width_; ++j)
        limbs_[i * width_ + (other.first_ - first_) + j] += other.limbs_[i * other.width_ + j];
    ++waiting_;
  }

  double round(std::size_t i) const {
    if (const auto quickly = round_two_limbs({limbs_.data() + i * width_, width_})) return *quickly;
    std::array<std::int64_t, ExactSum::kLimbs> all{};
    std::copy_n(limbs_.data() + i * width_, width_, all.data() + first_);
    return ExactSum::from_uncarried(all).round();
  }

  // Propagates the carries; the last limb keeps the bits above it, and the sign.
  void carry() {
    for (std::size_t i = 0; i < count_; ++i) {
      std::int64_t* own = limbs_.data() + i * width_;
      for (std::size_t j = 0; j + 1 < width_; ++j) {
        own[j + 1] += own[j] >> 32;
        own[j] &= 0xffffffff;
      }
    }
    waiting_ = 0;
  }

 private:
  // A number touches three limbs; one more leaves space for the carries of 2^31 full limbs.
  static constexpr std::size_t kHeadroom = 4;

  static std::size_t limb_of(double value) {
    const auto exponent = static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
    return (exponent == 0 ? 0 : exponent - 1) / 32;
  }

  // Rounds a sum that is not negative and has no bits outside of two neighbouring limbs, as sums of counts.
  // If converting the 64 bits to a double rounds, the sum is too large to be subnormal, so it is rounded only
  // once.
  std::optional<double> round_two_limbs(std::span<const std::int64_t> own) const {
    std::int64_t carried = 0;
    std::size_t lowest = own.size();
    std::uint64_t two = 0;
    for (std::size_t j = 0; j < own.size(); ++j) {
      const std::int64_t limb = own[j] + carried;
      const auto digits = static_cast<std::uint64_t>(limb & 0xffffffff);
      carried = limb >> 32;
      if (digits == 0) continue;
      if (lowest == own.size()) lowest = j;
      if (j > lowest + 1) return std::nullopt;
      two |= digits << (32 * (j - lowest));
    }
    if (carried != 0) return std::nullopt;
    return std::ldexp(static_cast<double>(two), static_cast<int>(32 * (first_ + lowest)) - 1074);
  }

  void widen(std::size_t low, std::size_t high) {
    if (width_ > 0 && low >= first_ && high <= first_ + width_) return;
    if (width_ > 0) {
      low = std::min(low, first_);
      high = std::max(high, first_ + width_);
    }
    std::vector<std::int64_t> wider(count_ * (high - low));
    for (std::size_t i = 0; i < count_; ++i)
      std::copy_n(limbs_.data() + i * width_, width_,
                  wider.data() + i * (high - low) + (first_ - low) * (width_ > 0));
    limbs_ = std::move(wider);
    first_ = low;
    width_ = high - low;
  }

  std::size_t count_;
  std::size_t first_ = 0, width_ = 0;
  std::uint32_t waiting_ = 0;
  std::vector<std::int64_t> limbs_;
};

}  // namespace tertium

// The exact sum of floating-point numbers, rounded once at the end: it depends neither on the order of the
// numbers nor on how they are divided into parts.
//
// A superaccumulator in the manner of Neal (2015, "Fast exact summation using small and large
// superaccumulators"): one wide fixed-point number over the whole range of doubles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tertium {

// The sum as limbs of 32 bits, the lowest bit of the first one being 2^-1074. A limb is stored in 64 bits, so
// that carries can be deferred; the last limb has the sign.
class ExactSum {
 public:
  // 2,098 bits from the smallest double to the largest, and 63 for as many summands as can ever be counted.
  static constexpr std::size_t kLimbs = 68;
  // Maximum number of summands before carries are propagated.
  static constexpr std::uint32_t kMaxWaiting = std::uint32_t{1} << 30;

  void add(double value) {
    if (!std::isfinite(value)) {
      add_special(value);
    } else {
      deposit(value, limbs_.data(), 0);
      if (++waiting_ >= kMaxWaiting) carry();
    }
  }

  // Adds a finite number to `limbs`, the first of which is limb `first` of the sum; this changes three limbs.
  static void deposit(double value, std::int64_t* limbs, std::size_t first) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<std::size_t>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    if (mantissa == 0) return;
    const std::size_t place = exponent == 0 ? 0 : exponent - 1;  // of the lowest bit, above 2^-1074
    const std::size_t limb = place / 32 - first, shift = place % 32;
    const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
    limbs[limb] += sign * (static_cast<std::int64_t>(mantissa << shift) & kMask);
    limbs[limb + 1] += sign * (static_cast<std::int64_t>(mantissa >> (32 - shift)) & kMask);
    limbs[limb + 2] += sign * static_cast<std::int64_t>((mantissa >> 1) >> (63 - shift));
  }

  void merge(const ExactSum& other) {
    ExactSum addend = other;
    addend.carry();
    carry();
    for (std::size_t i = 0; i < kLimbs; ++i) limbs_[i] += addend.limbs_[i];
    carry();
    specials_ |= addend.specials_;
  }

  // The double nearest to the exact sum, ties to even. The result is infinite if the sum is too large for a
  // double, and as in IEEE arithmetic if a summand was not finite.
  double round() const {
    if (specials_ != 0) return special_sum();
    ExactSum magnitude = *this;
    magnitude.carry();
    const bool is_negative = magnitude.limbs_.back() < 0;
    if (is_negative) magnitude.negate();
    return is_negative ? -magnitude.round_positive() : magnitude.round_positive();
  }

  // The unique representation of the sum: limbs from 0 to 2^32 - 1, the last one signed.
  std::array<std::uint32_t, kLimbs> canonical_limbs() const {
    ExactSum settled = *this;
    settled.carry();
    std::array<std::uint32_t, kLimbs> limbs{};
    for (std::size_t i = 0; i < kLimbs; ++i) limbs[i] = static_cast<std::uint32_t>(settled.limbs_[i] & kMask);
    return limbs;
  }

  static ExactSum from_limbs(const std::array<std::uint32_t, kLimbs>& limbs, std::uint8_t specials) {
    ExactSum sum;
    for (std::size_t i = 0; i < kLimbs; ++i) sum.limbs_[i] = static_cast<std::int64_t>(limbs[i]);
    sum.limbs_.back() = static_cast<std::int32_t>(limbs.back());
    sum.specials_ = specials;
    return sum;
  }

  static ExactSum from_uncarried(const std::array<std::int64_t, kLimbs>& limbs) {
    ExactSum sum;
    sum.limbs_ = limbs;
    return sum;
  }

  // Which of infinity (1), minus infinity (2) and NaN (4) were added.
  std::uint8_t specials() const { return specials_; }

 private:
  static constexpr std::int64_t kMask = 0xffffffff;
  static constexpr std::uint8_t kInfinity = 1, kMinusInfinity = 2, kNotANumber = 4;

  void add_special(double value) {
    specials_ |= std::isnan(value) ? kNotANumber : value > 0 ? kInfinity : kMinusInfinity;
  }

  double special_sum() const {
    if (specials_ == kInfinity) return std::numeric_limits<double>::infinity();
    if (specials_ == kMinusInfinity) return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
  }

  void carry() {
    for (std::size_t i = 0; i + 1 < kLimbs; ++i) {
      limbs_[i + 1] += limbs_[i] >> 32;
      limbs_[i] &= kMask;
    }
    waiting_ = 0;
  }

  void negate() {
    for (auto& limb : limbs_) limb = -limb;
    carry();
  }

  bool bit(std::size_t place) const { return (limbs_[place / 32] >> (place % 32) & 1) != 0; }

  bool any_below(std::size_t place) const {
    for (std::size_t i = 0; i < place / 32; ++i)
      if (limbs_[i] != 0) return true;
    return (limbs_[place / 32] & ((std::int64_t{1} << (place % 32)) - 1)) != 0;
  }

  double round_positive() const {
    std::size_t last = kLimbs;
    while (last > 0 && limbs_[last - 1] == 0) --last;
    if (last == 0) return 0;
    const auto top = static_cast<std::uint64_t>(limbs_[last - 1]);
    const std::size_t highest = 32 * (last - 1) + static_cast<std::size_t>(std::bit_width(top)) - 1;
    const std::size_t lowest = highest > 52 ? highest - 52 : 0;  // subnormal numbers have fewer bits
    std::uint64_t mantissa = 0;
    for (std::size_t place = highest + 1; place-- > lowest;) mantissa = mantissa << 1 | bit(place);
    if (lowest > 0 && bit(lowest - 1) && ((mantissa & 1) != 0 || any_below(lowest - 1))) ++mantissa;
    return std::ldexp(static_cast<double>(mantissa), static_cast<int>(lowest) - 1074);
  }

  std::array<std::int64_t, kLimbs> limbs_{};
  std::uint32_t waiting_ = 0;  // summands since carries were last propagated
  std::uint8_t specials_ = 0;
};

// Many exact sums of numbers of similar size, which keep only the limbs in use:
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

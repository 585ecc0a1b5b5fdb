// Classifies 64 bytes at a time: one bit mask per class.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tertium/base/simd.hpp"

namespace tertium {

// A byte may belong to any of eight classes.
class ByteClasses {
 public:
  static constexpr std::size_t kBytes = 64;
  static constexpr std::size_t kMaxClasses = 8;
  using Flags = std::array<std::uint8_t, 256>;  // for each byte, bit c is set if it belongs to class c

  explicit ByteClasses(const Flags& flags) {
    for (std::size_t byte = 0; byte < 128; ++byte) rows_[byte / 16][byte % 16] = flags[byte];
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t c = 0; c < kMaxClasses; ++c)
        spread_[byte] |= std::uint64_t{(flags[byte] >> c) & 1U} << (8 * c);
  }

  // Sets bit i of sets[c] if byte i belongs to class c.
  template <std::size_t Count>
  void find(const char* bytes, std::array<std::uint64_t, Count>& sets) const {
    static_assert(Count <= kMaxClasses);
#if TERTIUM_HAS_AVX2
    if (simd::use_avx2()) return find_avx2(bytes, sets);
#endif
    find_plainly(bytes, sets);
  }
  // The same for fewer than 64 bytes; the missing ones count as spaces.
  template <std::size_t Count>
  void find(std::string_view few, std::array<std::uint64_t, Count>& sets) const {
    char bytes[kBytes];
    std::memset(bytes, ' ', kBytes);
    std::memcpy(bytes, few.data(), few.size());
    find(bytes, sets);
  }

 private:
  // Portable version, eight bytes at a time: byte c of `eight` gets one bit for each of them that belongs to
  // class c.
  template <std::size_t Count>
  void find_plainly(const char* bytes, std::array<std::uint64_t, Count>& sets) const {
    sets.fill(0);
    for (std::size_t begin = 0; begin < kBytes; begin += 8) {
      std::uint64_t eight = 0;
      for (std::size_t i = 0; i < 8; ++i) eight |= spread_[static_cast<unsigned char>(bytes[begin + i])] << i;
      for (std::size_t c = 0; c < Count; ++c) sets[c] |= ((eight >> (8 * c)) & 255) << begin;
    }
  }

#if TERTIUM_HAS_AVX2
  // Looks up the flags of 32 bytes at once, one row of sixteen ASCII characters after the other; bytes beyond
  // ASCII are looked up one by one.
  template <std::size_t Count>
  TERTIUM_AVX2 void find_avx2(const char* bytes, std::array<std::uint64_t, Count>& sets) const {
    sets.fill(0);
    using simd::UInt8x32;
    for (std::size_t half = 0; half < kBytes; half += 32) {
      const auto text = UInt8x32::load(reinterpret_cast<const std::uint8_t*>(bytes + half));
      UInt8x32 flags{};
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        // Bytes of this row become 0x70 to 0x7f; all others become 0x80 or more, for which the lookup gives
        // 0.
        const UInt8x32 place =
            simd::add_saturated(text ^ UInt8x32::load(kRowStarts[row].data()), UInt8x32::all(0x70));
        flags |= simd::lookup(simd::load_twice(rows_[row].data()), place);
      }
      for (std::size_t c = 0; c < Count; ++c)
        sets[c] |= std::uint64_t{simd::bit_of_bytes(flags, static_cast<int>(c))} << half;
      for (std::uint32_t others = simd::sign_bits(text); others != 0; others &= others - 1) {
        const std::size_t at = half + static_cast<std::size_t>(std::countr_zero(others));
        for (std::size_t c = 0; c < Count; ++c)
          sets[c] |= ((spread_[static_cast<unsigned char>(bytes[at])] >> (8 * c)) & 1) << at;
      }
    }
  }
#endif

  // 16 * row in every byte, as constants: to broadcast a variable byte takes longer than all other steps
  // together.
  static constexpr auto kRowStarts = [] {
    std::array<std::array<std::uint8_t, 32>, 8> starts{};
    for (std::size_t row = 0; row < starts.size(); ++row)
      starts[row].fill(static_cast<std::uint8_t>(16 * row));
    return starts;
  }();

  std::array<std::array<std::uint8_t, 16>, 8> rows_{};  // the flags of ASCII, sixteen to a row
  std::array<std::uint64_t, 256> spread_{};             // the flags of a byte, each in a byte of its own
};

}  // namespace tertium

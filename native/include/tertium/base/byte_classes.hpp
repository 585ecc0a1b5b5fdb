// What the bytes of a text are, 64 at a time: a set of bits for each class, so that whoever reads on asks
// once for many bytes and not byte by byte.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tertium/base/simd.hpp"

#if TERTIUM_HAS_AVX2
#include <immintrin.h>
#endif

namespace tertium {

// A byte may belong to any of eight classes.
class ByteClasses {
 public:
  static constexpr std::size_t kBytes = 64;
  static constexpr std::size_t kMaxClasses = 8;
  using Flags = std::array<std::uint8_t, 256>;  // of each byte: bit c if it belongs to class c

  explicit ByteClasses(const Flags& flags) {
    for (std::size_t byte = 0; byte < 128; ++byte) rows_[byte / 16][byte % 16] = flags[byte];
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t c = 0; c < kMaxClasses; ++c)
        spread_[byte] |= std::uint64_t{(flags[byte] >> c) & 1U} << (8 * c);
  }

  // sets[c]: the bits of those of the next 64 bytes that belong to class c.
  template <std::size_t Count>
  void find(const char* bytes, std::array<std::uint64_t, Count>& sets) const {
    static_assert(Count <= kMaxClasses);
#if TERTIUM_HAS_AVX2
    if (prefers_avx2()) return find_avx2(bytes, sets);
#endif
    find_plainly(bytes, sets);
  }
  // The same where fewer bytes are left; spaces stand in for those that are missing.
  template <std::size_t Count>
  void find(std::string_view few, std::array<std::uint64_t, Count>& sets) const {
    char bytes[kBytes];
    std::memset(bytes, ' ', kBytes);
    std::memcpy(bytes, few.data(), few.size());
    find(bytes, sets);
  }

 private:
  // Eight bytes at a time: byte c of `eight` gets a bit for each of them that belongs to class c.
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
  // The flags of the sixteen characters of a row are looked up at once; bytes beyond ASCII one by one.
  template <std::size_t Count>
  TERTIUM_AVX2 void find_avx2(const char* bytes, std::array<std::uint64_t, Count>& sets) const {
    sets.fill(0);
    for (std::size_t half = 0; half < kBytes; half += 32) {
      const __m256i given = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + half));
      __m256i flags = _mm256_setzero_si256();
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        const __m256i table =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows_[row].data())));
        // Those of this row become 0x70 and more, all others 0x80 and more, which look up nothing.
        const __m256i place = _mm256_adds_epu8(
            _mm256_xor_si256(given, _mm256_set1_epi8(static_cast<char>(16 * row))), _mm256_set1_epi8(0x70));
        flags = _mm256_or_si256(flags, _mm256_shuffle_epi8(table, place));
      }
      for (std::size_t c = 0; c < Count; ++c) {
        const auto own = _mm256_movemask_epi8(_mm256_slli_epi64(flags, static_cast<int>(7 - c)));
        sets[c] |= std::uint64_t{static_cast<std::uint32_t>(own)} << half;
      }
      for (auto others = static_cast<std::uint32_t>(_mm256_movemask_epi8(given)); others != 0;
           others &= others - 1) {
        const std::size_t at = half + static_cast<std::size_t>(std::countr_zero(others));
        for (std::size_t c = 0; c < Count; ++c)
          sets[c] |= ((spread_[static_cast<unsigned char>(bytes[at])] >> (8 * c)) & 1) << at;
      }
    }
  }
#endif

  std::array<std::array<std::uint8_t, 16>, 8> rows_{};  // the flags of ASCII, sixteen to a row
  std::array<std::uint64_t, 256> spread_{};             // the flags of a byte, each in a byte of its own
};

}  // namespace tertium

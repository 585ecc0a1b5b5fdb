// Vectors of a fixed number of lanes, and the choice of instruction set at run time.
//
// The types are named by their lanes: Double4, Float8, Int16x16. Arithmetic, comparisons, min, max, select
// and any work on every processor and compiler; operations at the end of this file need AVX2 or AVX-512 and
// may only be called from functions marked TERTIUM_AVX2 or TERTIUM_AVX512. One build serves all processors:
// use_avx2() and use_avx512() ask the processor, and dispatch() and dispatch_lanes() run one piece of code
// compiled for whichever registers there are. No instruction set changes a digit: lanes are added in a fixed
// order, and fused multiply-add is never used. TERTIUM_BASELINE=1 in the environment turns wide registers
// off, and TERTIUM_BASELINE=avx2 turns AVX-512 off, so that a test can compare the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__GNUC__)
#define TERTIUM_ALWAYS_INLINE __attribute__((always_inline))
#define TERTIUM_INLINE TERTIUM_ALWAYS_INLINE inline
#else
#define TERTIUM_ALWAYS_INLINE
#define TERTIUM_INLINE inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define TERTIUM_HAS_AVX2 1
#define TERTIUM_AVX2 __attribute__((target("avx2,popcnt")))
#define TERTIUM_AVX512_TARGET "avx2,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni"
#define TERTIUM_AVX512 __attribute__((target(TERTIUM_AVX512_TARGET)))
#else
#define TERTIUM_HAS_AVX2 0
#define TERTIUM_AVX2
#define TERTIUM_AVX512
#endif

namespace tertium::simd {

// Whether to call functions marked TERTIUM_AVX2.
inline bool use_avx2() {
#if TERTIUM_HAS_AVX2
  static const bool found = [] {
    const char* const baseline = std::getenv("TERTIUM_BASELINE");
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0 &&
           (baseline == nullptr || std::strcmp(baseline, "avx2") == 0);
  }();
  return found;
#else
  return false;
#endif
}

// Whether to call functions marked TERTIUM_AVX512: registers of 64 bytes, and products of bytes (VNNI).
inline bool use_avx512() {
#if TERTIUM_HAS_AVX2
  static const bool found =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vnni") != 0 && use_avx2() && std::getenv("TERTIUM_BASELINE") == nullptr;
  return found;
#else
  return false;
#endif
}

template <typename Work>
TERTIUM_AVX2 decltype(auto) call_with_avx2(const Work& work) {
  return work();
}

// Calls work(), which is compiled for the baseline and for AVX2. It is a lambda marked TERTIUM_ALWAYS_INLINE
// that calls a TERTIUM_INLINE function: code that is not inlined would be compiled for the baseline only.
template <typename Work>
decltype(auto) dispatch(const Work& work) {
  if (use_avx2()) return call_with_avx2(work);
  return work();
}

// Calls work(lanes) with the number of floats in a register as a compile-time constant: 16, 8 or 4. Like
// dispatch(), but code that uses Vec<float, lanes> fills the registers of every processor.
template <std::size_t Lanes>
using LaneCount = std::integral_constant<std::size_t, Lanes>;

template <typename Work>
TERTIUM_AVX512 decltype(auto) call_with_avx512_lanes(const Work& work) {
  return work(LaneCount<16>{});
}
template <typename Work>
TERTIUM_AVX2 decltype(auto) call_with_avx2_lanes(const Work& work) {
  return work(LaneCount<8>{});
}
template <typename Work>
decltype(auto) dispatch_lanes(const Work& work) {
  if (use_avx512()) return call_with_avx512_lanes(work);
  if (use_avx2()) return call_with_avx2_lanes(work);
  return work(LaneCount<4>{});
}

// A vector of N numbers. It is a struct because raw 32-byte vectors would change the calling convention where
// AVX is not enabled.
template <typename Number, std::size_t N>
struct Vec {
  static constexpr std::size_t kLanes = N;
  using MaskNumber = std::conditional_t<
      sizeof(Number) == 8, std::int64_t,
      std::conditional_t<sizeof(Number) == 4, std::int32_t,
                         std::conditional_t<sizeof(Number) == 2, std::int16_t, std::int8_t>>>;
  using Mask = Vec<MaskNumber, N>;  // comparison result: all bits of a lane set if it holds, otherwise none
#if defined(__GNUC__)
  typedef Number Values __attribute__((vector_size(sizeof(Number) * N)));
#else
  using Values = std::array<Number, N>;
#endif
  Values values;

  TERTIUM_INLINE static Vec load(const Number* from) {
    Vec loaded;
    std::memcpy(&loaded.values, from, sizeof(Values));
    return loaded;
  }
  TERTIUM_INLINE void store(Number* to) const { std::memcpy(to, &values, sizeof(Values)); }
  TERTIUM_INLINE Number operator[](std::size_t lane) const { return values[lane]; }

#if defined(__GNUC__)
  // Through an array, which GCC makes one instruction; it would insert the lanes of a vector one by one.
  TERTIUM_INLINE static Vec all(Number number) {
    Number lanes[N];
    for (std::size_t lane = 0; lane < N; ++lane) lanes[lane] = number;
    return load(lanes);
  }
  // The numbers of(0), of(1) and so on, without a detour through memory.
  template <typename Of>
  TERTIUM_INLINE static Vec each(const Of& of) {
    return each(of, std::make_index_sequence<N>{});
  }
  template <typename Of, std::size_t... Lane>
  TERTIUM_INLINE static Vec each(const Of& of, std::index_sequence<Lane...>) {
    return {Values{of(Lane)...}};
  }
#define TERTIUM_LANEWISE(op) \
  TERTIUM_INLINE friend Vec operator op(const Vec& a, const Vec& b) { return {a.values op b.values}; }
#define TERTIUM_COMPARISON(op)                                              \
  TERTIUM_INLINE friend Mask operator op(const Vec& a, const Vec& b) {      \
    return {reinterpret_cast<typename Mask::Values>(a.values op b.values)}; \
  }
  TERTIUM_INLINE Vec operator~() const { return {~values}; }
  TERTIUM_INLINE Vec operator<<(int bits) const { return {values << static_cast<Number>(bits)}; }
  TERTIUM_INLINE Vec operator>>(int bits) const { return {values >> static_cast<Number>(bits)}; }
#else
  template <typename Of>
  static Vec each(const Of& of) {
    Vec made;
    for (std::size_t lane = 0; lane < N; ++lane) made.values[lane] = static_cast<Number>(of(lane));
    return made;
  }
  static Vec all(Number number) {
    return each([=](std::size_t) { return number; });
  }
#define TERTIUM_LANEWISE(op)                                                         \
  friend Vec operator op(const Vec& a, const Vec& b) {                               \
    return each([&](std::size_t lane) { return a.values[lane] op b.values[lane]; }); \
  }
#define TERTIUM_COMPARISON(op)                                                                      \
  friend Mask operator op(const Vec& a, const Vec& b) {                                             \
    return Mask::each([&](std::size_t lane) { return a.values[lane] op b.values[lane] ? -1 : 0; }); \
  }
  Vec operator~() const {
    return each([&](std::size_t lane) { return ~values[lane]; });
  }
  Vec operator<<(int bits) const {
    return each([&](std::size_t lane) { return values[lane] << bits; });
  }
  Vec operator>>(int bits) const {
    return each([&](std::size_t lane) { return values[lane] >> bits; });
  }
#endif
  TERTIUM_LANEWISE(+)
  TERTIUM_LANEWISE(-)
  TERTIUM_LANEWISE(*)
  TERTIUM_LANEWISE(/)
  TERTIUM_LANEWISE(&)
  TERTIUM_LANEWISE(|)
  TERTIUM_LANEWISE(^)
  TERTIUM_COMPARISON(<)
  TERTIUM_COMPARISON(<=)
  TERTIUM_COMPARISON(>)
  TERTIUM_COMPARISON(>=)
  TERTIUM_COMPARISON(==)
  TERTIUM_COMPARISON(!=)
#undef TERTIUM_LANEWISE
#undef TERTIUM_COMPARISON
  TERTIUM_INLINE Vec& operator+=(const Vec& other) { return *this = *this + other; }
  TERTIUM_INLINE Vec& operator-=(const Vec& other) { return *this = *this - other; }
  TERTIUM_INLINE Vec& operator&=(const Vec& other) { return *this = *this & other; }
  TERTIUM_INLINE Vec& operator|=(const Vec& other) { return *this = *this | other; }
};

using Double4 = Vec<double, 4>;
using Float8 = Vec<float, 8>;
using Int16x8 = Vec<std::int16_t, 8>;
using Int16x16 = Vec<std::int16_t, 16>;
using Int32x4 = Vec<std::int32_t, 4>;
using Int32x8 = Vec<std::int32_t, 8>;
using Int32x16 = Vec<std::int32_t, 16>;
using Int64x4 = Vec<std::int64_t, 4>;
using UInt8x32 = Vec<std::uint8_t, 32>;
using UInt32x8 = Vec<std::uint32_t, 8>;
using UInt64x4 = Vec<std::uint64_t, 4>;

// Sets all vectors of an array to zero, one by one: for `= {}` GCC writes the array to memory with a slow
// instruction, even where it then keeps the vectors in registers.
template <typename Vector, std::size_t N>
TERTIUM_INLINE void clear(Vector (&vectors)[N]) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < N; ++i) {
    if constexpr (std::is_array_v<Vector>)
      clear(vectors[i]);
    else
      vectors[i] = Vector{};
  }
}

// The same bits as lanes of another type.
template <typename To, typename Number, std::size_t N>
TERTIUM_INLINE To bits_as(const Vec<Number, N>& from) {
  static_assert(sizeof(To) == sizeof(from));
  To to;
  std::memcpy(&to.values, &from.values, sizeof(to.values));
  return to;
}

// Selects the number of a where the mask is set, otherwise that of b.
template <typename Number, std::size_t N>
TERTIUM_INLINE Vec<Number, N> select(const typename Vec<Number, N>::Mask& mask, const Vec<Number, N>& a,
                                     const Vec<Number, N>& b) {
#if defined(__GNUC__)
  return {mask.values ? a.values : b.values};
#else
  return Vec<Number, N>::each([&](std::size_t lane) { return mask[lane] != 0 ? a[lane] : b[lane]; });
#endif
}

// a < b ? a : b in each lane: b where a lane is NaN.
template <typename Number, std::size_t N>
TERTIUM_INLINE Vec<Number, N> min(const Vec<Number, N>& a, const Vec<Number, N>& b) {
  return select(a < b, a, b);
}
// The same for integers, in a form that GCC compiles to one instruction.
TERTIUM_INLINE Int32x8 min(const Int32x8& a, const Int32x8& b) {
#if defined(__GNUC__)
  return {a.values < b.values ? a.values : b.values};
#else
  return select(a < b, a, b);
#endif
}
// a > b ? a : b in each lane: b where a lane is NaN.
template <typename Number, std::size_t N>
TERTIUM_INLINE Vec<Number, N> max(const Vec<Number, N>& a, const Vec<Number, N>& b) {
  return select(a > b, a, b);
}

// Lane i becomes lane i - 1 of the numbers, and the first one the last lane of `before`.
TERTIUM_INLINE Int32x8 shift_in(const Int32x8& before, const Int32x8& numbers) {
#if defined(__clang__)
  return {__builtin_shufflevector(before.values, numbers.values, 7, 8, 9, 10, 11, 12, 13, 14)};
#elif defined(__GNUC__)
  return {__builtin_shuffle(before.values, numbers.values, Int32x8::Values{7, 8, 9, 10, 11, 12, 13, 14})};
#else
  return Int32x8::each([&](std::size_t lane) { return lane == 0 ? before[7] : numbers[lane - 1]; });
#endif
}

TERTIUM_INLINE Double4 abs(const Double4& numbers) {
  return bits_as<Double4>(bits_as<UInt64x4>(numbers) & UInt64x4::all(~std::uint64_t{0} >> 1));
}

// Whether a bit of any lane is set.
template <typename Number, std::size_t N>
TERTIUM_INLINE bool any(const Vec<Number, N>& mask) {
  constexpr std::size_t n_words = sizeof(mask) / sizeof(std::uint64_t);
  std::uint64_t words[n_words], together = 0;
  std::memcpy(words, &mask.values, sizeof words);
  for (const std::uint64_t word : words) together |= word;
  return together != 0;
}

// Products of neighbouring numbers of 16 bits, added in pairs: one instruction on x86-64.
TERTIUM_INLINE Int32x4 multiply_pairs(const Int16x8& a, const Int16x8& b) {
#if defined(__GNUC__) && defined(__x86_64__)
  return {reinterpret_cast<Int32x4::Values>(
      _mm_madd_epi16(reinterpret_cast<__m128i>(a.values), reinterpret_cast<__m128i>(b.values)))};
#else
  Int32x4 sums;
  for (std::size_t lane = 0; lane < 4; ++lane)
    sums.values[lane] = a[2 * lane] * b[2 * lane] + a[2 * lane + 1] * b[2 * lane + 1];
  return sums;
#endif
}

// Eight signed bytes as numbers of 16 bits.
TERTIUM_INLINE Int16x8 load_eight(const std::int8_t* from) {
#if defined(__GNUC__) && defined(__x86_64__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return {reinterpret_cast<Int16x8::Values>(_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8))};
#else
  Int16x8 words;
  for (std::size_t lane = 0; lane < 8; ++lane) words.values[lane] = from[lane];
  return words;
#endif
}

// Each lane as a number of another type: integers become the nearest floats, or lose their high bits.
template <typename To, typename Number, std::size_t N>
TERTIUM_INLINE Vec<To, N> convert(const Vec<Number, N>& numbers) {
#if defined(__GNUC__)
  return {__builtin_convertvector(numbers.values, typename Vec<To, N>::Values)};
#else
  return Vec<To, N>::each([&](std::size_t lane) { return numbers[lane]; });
#endif
}

#if TERTIUM_HAS_AVX2

#define TERTIUM_AVX2_INLINE __attribute__((always_inline, target("avx2,popcnt"))) inline

// Conversions between our vectors and the compiler's.
template <typename Vector>
TERTIUM_AVX2_INLINE __m256i as_m256i(const Vector& vector) {
  return reinterpret_cast<__m256i>(vector.values);
}
template <typename Vector>
TERTIUM_AVX2_INLINE Vector from_m256i(__m256i values) {
  return {reinterpret_cast<typename Vector::Values>(values)};
}

// The sign bits of the lanes, the first one lowest.
TERTIUM_AVX2_INLINE std::uint32_t sign_bits(const UInt8x32& bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(as_m256i(bytes)));
}
TERTIUM_AVX2_INLINE std::uint32_t sign_bits(const Int64x4& mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask.values)));
}
// Bit number `bit` of every byte.
TERTIUM_AVX2_INLINE std::uint32_t bit_of_bytes(const UInt8x32& bytes, int bit) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi64(as_m256i(bytes), 7 - bit)));
}
// Whether a bit of any lane is set, in one instruction.
template <typename Vector>
TERTIUM_AVX2_INLINE bool any_bit(const Vector& mask) {
  return _mm256_testz_si256(as_m256i(mask), as_m256i(mask)) == 0;
}

// Sixteen bytes, twice.
TERTIUM_AVX2_INLINE UInt8x32 load_twice(const std::uint8_t* from) {
  return from_m256i<UInt8x32>(
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
// table[i % 16] for each byte i below 128 of `places`, 0 for the others; `table` comes from load_twice().
TERTIUM_AVX2_INLINE UInt8x32 lookup(const UInt8x32& table, const UInt8x32& places) {
  return from_m256i<UInt8x32>(_mm256_shuffle_epi8(as_m256i(table), as_m256i(places)));
}
// a + b, at most 255.
TERTIUM_AVX2_INLINE UInt8x32 add_saturated(const UInt8x32& a, const UInt8x32& b) {
  return from_m256i<UInt8x32>(_mm256_adds_epu8(as_m256i(a), as_m256i(b)));
}

// Eight or sixteen numbers of 8 bits as wider ones.
TERTIUM_AVX2_INLINE Int32x8 load_widened(const std::int8_t* from) {
  return from_m256i<Int32x8>(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
}
TERTIUM_AVX2_INLINE Int16x16 load_widened(const std::uint8_t* from) {
  return from_m256i<Int16x16>(_mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
TERTIUM_AVX2_INLINE Int16x16 load_sixteen(const std::int8_t* from) {
  return from_m256i<Int16x16>(_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
// The low bytes of 32 numbers, in their order; each number is from 0 to 127.
TERTIUM_AVX2_INLINE UInt8x32 pack_bytes(const Int32x8& a, const Int32x8& b, const Int32x8& c,
                                        const Int32x8& d) {
  // packing works on halves of registers, so the groups of four must be put in order again
  const __m256i packed = _mm256_packus_epi16(_mm256_packs_epi32(as_m256i(a), as_m256i(b)),
                                             _mm256_packs_epi32(as_m256i(c), as_m256i(d)));
  return from_m256i<UInt8x32>(_mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

TERTIUM_AVX2_INLINE Int32x8 multiply_pairs(const Int16x16& a, const Int16x16& b) {
  return from_m256i<Int32x8>(_mm256_madd_epi16(as_m256i(a), as_m256i(b)));
}
// The sums of neighbouring lanes: four of a, then four of b.
TERTIUM_AVX2_INLINE Int32x8 add_neighbours(const Int32x8& a, const Int32x8& b) {
  // adding works on halves of registers, so the pairs of sums must be put in order again
  return from_m256i<Int32x8>(
      _mm256_permute4x64_epi64(_mm256_hadd_epi32(as_m256i(a), as_m256i(b)), _MM_SHUFFLE(3, 1, 2, 0)));
}
// The whole products of the low 32 bits of the lanes.
TERTIUM_AVX2_INLINE UInt64x4 multiply_low_halves(const UInt64x4& a, const UInt64x4& b) {
  return from_m256i<UInt64x4>(_mm256_mul_epu32(as_m256i(a), as_m256i(b)));
}

// Lane i becomes lane i - By, or the first one where that does not exist.
template <int By>
TERTIUM_AVX2_INLINE Int32x8 shift_up(const Int32x8& numbers) {
  constexpr auto from = [](int lane) { return lane < By ? 0 : lane - By; };
  return from_m256i<Int32x8>(_mm256_permutevar8x32_epi32(
      as_m256i(numbers),
      _mm256_setr_epi32(from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7))));
}
// The last lane, everywhere.
TERTIUM_AVX2_INLINE Int32x8 spread_last(const Int32x8& numbers) {
  return from_m256i<Int32x8>(_mm256_permutevar8x32_epi32(as_m256i(numbers), _mm256_set1_epi32(7)));
}
// Lane i becomes lane i - 1, the first one the last.
TERTIUM_AVX2_INLINE UInt64x4 rotate_up(const UInt64x4& numbers) {
  return from_m256i<UInt64x4>(_mm256_permute4x64_epi64(as_m256i(numbers), _MM_SHUFFLE(2, 1, 0, 3)));
}
// The first lane of one vector and the other lanes of another.
TERTIUM_AVX2_INLINE UInt64x4 replace_first(const UInt64x4& others, const UInt64x4& first) {
  return from_m256i<UInt64x4>(_mm256_blend_epi32(as_m256i(others), as_m256i(first), 0b11));
}

// The first `count` numbers, fewer than eight, and zeros.
TERTIUM_AVX2_INLINE Float8 load_first(const float* from, std::size_t count) {
  alignas(32) static constexpr std::int32_t kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return {_mm256_maskload_ps(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - count)))};
}
// Prevents compilers from reading the numbers from memory again for each use.
TERTIUM_AVX2_INLINE void keep_in_register(Float8& numbers) { asm("" : "+x"(numbers.values)); }
// Lane l plus lane l + 4, as doubles.
TERTIUM_AVX2_INLINE Double4 add_halves(const Float8& numbers) {
  return {_mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(numbers.values)),
                        _mm256_cvtps_pd(_mm256_extractf128_ps(numbers.values, 1)))};
}

TERTIUM_AVX2_INLINE Double4 sqrt(const Double4& numbers) { return {_mm256_sqrt_pd(numbers.values)}; }
// The first or the last four numbers as doubles.
TERTIUM_AVX2_INLINE Double4 low_as_doubles(const Int32x8& numbers) {
  return {_mm256_cvtepi32_pd(_mm256_castsi256_si128(as_m256i(numbers)))};
}
TERTIUM_AVX2_INLINE Double4 high_as_doubles(const Int32x8& numbers) {
  return {_mm256_cvtepi32_pd(_mm256_extracti128_si256(as_m256i(numbers), 1))};
}
// Eight numbers, rounded to the nearest integers; INT32_MIN where they do not fit.
TERTIUM_AVX2_INLINE Int32x8 round_to_int(const Double4& low, const Double4& high) {
  return from_m256i<Int32x8>(
      _mm256_set_m128i(_mm256_cvtpd_epi32(high.values), _mm256_cvtpd_epi32(low.values)));
}
// Makes the lanes of four vectors vectors: rows[j] becomes the lanes j.
TERTIUM_AVX2_INLINE void transpose(Double4 (&rows)[4]) {
  const __m256d low01 = _mm256_unpacklo_pd(rows[0].values, rows[1].values);
  const __m256d high01 = _mm256_unpackhi_pd(rows[0].values, rows[1].values);
  const __m256d low23 = _mm256_unpacklo_pd(rows[2].values, rows[3].values);
  const __m256d high23 = _mm256_unpackhi_pd(rows[2].values, rows[3].values);
  rows[0].values = _mm256_permute2f128_pd(low01, low23, 0x20);
  rows[1].values = _mm256_permute2f128_pd(high01, high23, 0x20);
  rows[2].values = _mm256_permute2f128_pd(low01, low23, 0x31);
  rows[3].values = _mm256_permute2f128_pd(high01, high23, 0x31);
}

#define TERTIUM_AVX512_INLINE __attribute__((always_inline, target(TERTIUM_AVX512_TARGET))) inline

// sums[lane] += the four products of the lane's bytes: `a` unsigned, `b` signed. Nothing saturates.
TERTIUM_AVX512_INLINE void add_byte_products(Int32x16& sums, const Int32x16& a, const Int32x16& b) {
  sums.values = reinterpret_cast<Int32x16::Values>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums.values),
                                                                       reinterpret_cast<__m512i>(a.values),
                                                                       reinterpret_cast<__m512i>(b.values)));
}

#endif

}  // namespace tertium::simd

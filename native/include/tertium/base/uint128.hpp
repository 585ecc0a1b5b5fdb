// Unsigned numbers of 128 bits, on every compiler.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace tertium {

struct UInt128 {
  std::uint64_t high, low;
};

// The whole product of two numbers of 64 bits.
inline UInt128 multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Number = unsigned __int128;
  const Number product = static_cast<Number>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#elif defined(_MSC_VER) && defined(_M_X64)
  return {__umulh(a, b), a * b};
#else
  constexpr std::uint64_t low = 0xffffffff;
  const std::uint64_t lower = (a & low) * (b & low);
  const std::uint64_t one = (a >> 32) * (b & low) + (lower >> 32);
  const std::uint64_t other = (a & low) * (b >> 32) + (one & low);
  return {(a >> 32) * (b >> 32) + (one >> 32) + (other >> 32), a * b};
#endif
}

// The product modulo 2^128, plus a number.
inline UInt128 multiply_add(const UInt128& a, const UInt128& b, const UInt128& addend) {
  const UInt128 product = multiply(a.low, b.low);
  const std::uint64_t low = product.low + addend.low;
  return {product.high + a.high * b.low + a.low * b.high + addend.high + (low < product.low), low};
}

}  // namespace tertium

// Products of 64-bit numbers that need 128 bits, on every compiler.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace tertium {

// The upper half of the product.
inline std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
  return __umulh(a, b);
#else
  constexpr std::uint64_t low = 0xffffffff;
  const std::uint64_t lower = (a & low) * (b & low);
  const std::uint64_t one = (a >> 32) * (b & low) + (lower >> 32);
  const std::uint64_t other = (a & low) * (b >> 32) + (one & low);
  return (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32);
#endif
}

}  // namespace tertium

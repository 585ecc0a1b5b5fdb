// Prefetches memory that will be read soon. A hint: it changes no result, and a processor may ignore it.
#pragma once

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <xmmintrin.h>
#endif

namespace tertium {

inline void prefetch(const void* place) {
#if defined(__GNUC__)
  __builtin_prefetch(place);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
  _mm_prefetch(static_cast<const char*>(place), _MM_HINT_T0);
#else
  static_cast<void>(place);
#endif
}

}  // namespace tertium

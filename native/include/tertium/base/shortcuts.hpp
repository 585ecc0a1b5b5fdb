// Turns the short cuts of searches off, so that tests can compare the bytes with and without them.
//
// Searches leave out what cannot be part of their result, decide easy cases by bounds, and begin with a good
// guess; fast paths serve the usual sizes. No such short cut may change a result. Kernels ask once per
// problem, never in an inner loop.
#pragma once

#include <atomic>

namespace tertium {

namespace shortcuts {

inline std::atomic<bool> are_taken{true};

}  // namespace shortcuts

inline bool takes_shortcuts() { return shortcuts::are_taken.load(std::memory_order_relaxed); }

}  // namespace tertium

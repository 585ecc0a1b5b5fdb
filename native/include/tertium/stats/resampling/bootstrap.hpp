// Bootstrap resamples as numpy draws them, and the sums of statistics over each (Efron 1979). O(samples x
// rows) to draw, O(samples x rows x columns) to sum.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <span>
#include <stdexcept>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/stats/random/pcg64.hpp"
#include "tertium/stats/sums/weighted_sums.hpp"

namespace tertium {

// Counts how often each row is drawn, fewer than 2^32 times in all. A count has 8 bits; an overflow is
// detected because the sum of all counts is then too small by a multiple of 256.
inline void count_draws(std::span<const std::uint32_t> drawn, std::span<std::uint8_t> counts) {
  std::fill(counts.begin(), counts.end(), std::uint8_t{0});
  for (const std::uint32_t row : drawn) ++counts[row];
  const auto counted = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
  if (counted != static_cast<std::uint32_t>(drawn.size()))
    throw std::overflow_error("a segment was drawn more than 255 times");
}

// Draws as many rows as there are, `samples` times, in numpy's order. The generator is one stream, so threads
// take turns at it; they count in parallel.
inline void draw_counts(Pcg64& generator, std::size_t rows, std::size_t samples, std::size_t threads,
                        std::span<std::uint8_t> counts) {
  // 256 kB of numbers, within a second-level cache; a shorter turn would pass the lock around more often.
  constexpr std::size_t draws_of_a_turn = 1 << 16;
  const std::size_t samples_of_a_turn = std::max<std::size_t>(1, draws_of_a_turn / rows);
  const std::size_t turns = (samples + samples_of_a_turn - 1) / samples_of_a_turn;
  std::mutex turn;
  std::size_t next = 0;
  on_each_worker(std::clamp<std::size_t>(turns, 1, std::max<std::size_t>(threads, 1)), [&](std::size_t) {
    PooledVector<std::uint32_t> drawn(uninitialized(std::min(samples_of_a_turn, samples) * rows));
    for (;;) {
      std::unique_lock mine(turn);
      const std::size_t first = next, last = std::min(first + samples_of_a_turn, samples);
      if (first >= samples) return;
      next = last;
      const std::span<std::uint32_t> these(drawn.data(), (last - first) * rows);
      generator.draw_below(static_cast<std::uint32_t>(rows), these);
      mine.unlock();
      for (std::size_t sample = first; sample < last; ++sample)
        count_draws(these.subspan((sample - first) * rows, rows), counts.subspan(sample * rows, rows));
    }
  });
}

// Fills `sums` (samples x columns), which must be zero, and moves the generator on.
inline void bootstrap_sums(std::span<const ColumnRun> tables, std::size_t rows, std::size_t samples,
                           Pcg64& generator, std::size_t threads, std::span<double> sums) {
  PooledVector<std::uint8_t> counts(uninitialized(samples * rows));
  draw_counts(generator, rows, samples, threads, counts);
  weighted_sums(tables, {counts, samples, rows}, threads, sums);
}

}  // namespace tertium

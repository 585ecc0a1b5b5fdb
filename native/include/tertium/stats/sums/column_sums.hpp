// The common loop of all sums over resamples: the columns of several tables are treated as one table without
// copying, and cut into strips, chunks of rows and groups of samples.
//
// Threads compute the chunks in any order; their sums are added in the order of the chunks, so the digits do
// not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "tertium/base/buffer_pool.hpp"
#include "tertium/base/parallel.hpp"

namespace tertium {

// Some neighbouring columns of one table: row i of them begins at `begin + i * stride`.
struct ColumnRun {
  const double* begin;
  std::size_t width, stride;
};

// As many columns as a kernel works on at once, cut from one table or several.
struct ColumnStrip {
  std::vector<ColumnRun> runs;
  std::size_t first = 0;  // number of its first column among all
  std::size_t width = 0;

  // Copies rows [begin, end) into a block of rows of `padded` columns.
  void pack(std::size_t begin, std::size_t end, std::size_t padded, std::span<double> block) const {
    std::size_t place = 0;
    for (const ColumnRun& run : runs) {
      const double* from = run.begin + begin * run.stride;
      double* to = block.data() + place;
      for (std::size_t i = begin; i < end; ++i, from += run.stride, to += padded)
        std::copy_n(from, run.width, to);
      place += run.width;
    }
  }
};

// Cuts tables into strips of at most `most` columns.
inline std::vector<ColumnStrip> cut_strips(std::span<const ColumnRun> tables, std::size_t most) {
  std::vector<ColumnStrip> strips;
  std::size_t first = 0;
  for (const ColumnRun& table : tables) {
    for (std::size_t done = 0; done < table.width;) {
      if (strips.empty() || strips.back().width == most) strips.push_back({{}, first, 0});
      const std::size_t width = std::min(table.width - done, most - strips.back().width);
      strips.back().runs.push_back({table.begin + done, width, table.stride});
      strips.back().width += width;
      done += width;
      first += width;
    }
  }
  return strips;
}

// A part of the work: some samples' sums of one strip of columns over the rows [begin, end).
struct SumTask {
  const ColumnStrip* strip;
  std::size_t begin, end;   // rows
  std::size_t first, last;  // samples
  std::span<double> sums;   // (samples x padded columns), all zero
};

// How rows, samples and columns are cut; `columns` is also the width to which a strip's sums are padded.
struct SumShape {
  std::size_t chunk_rows, group_samples, columns;
};

// The number of samples that a thread takes at once: many, because rows are prepared once for all of them,
// but fewer if there are not enough for all threads. No sum depends on it.
inline std::size_t group_samples(std::size_t samples, std::size_t threads) {
  constexpr std::size_t least = 32, most = 1024;  // more than 1,024 would no longer save much preparation
  const std::size_t workers = std::max<std::size_t>(threads, 1), share = (samples + workers - 1) / workers;
  return std::clamp((share + least - 1) / least * least, least, most);
}

// Adds to `sums` (samples x columns). Calls make_worker() once per thread, and the worker
// it returns with every SumTask.
template <typename MakeWorker>
void sum_in_chunks(std::span<const ColumnRun> tables, std::size_t rows, std::size_t samples,
                   const SumShape& shape, std::size_t threads, std::span<double> sums,
                   const MakeWorker& make_worker) {
  const auto strips = cut_strips(tables, shape.columns);
  if (strips.empty()) return;
  const std::size_t chunks = (rows + shape.chunk_rows - 1) / shape.chunk_rows;
  const std::size_t groups = (samples + shape.group_samples - 1) / shape.group_samples;
  const std::size_t size = samples * shape.columns, tasks = chunks * groups * strips.size();
  PooledVector<double> parts(chunks * strips.size() * size, 0.0);
  parallel_tasks(tasks, threads, [&] {
    return [&, worker = make_worker()](std::size_t task) mutable {
      const std::size_t part = task / groups, chunk = part / strips.size();
      const std::size_t begin = chunk * shape.chunk_rows, first = task % groups * shape.group_samples;
      const std::size_t last = std::min(first + shape.group_samples, samples);
      worker(SumTask{&strips[part % strips.size()],
                     begin,
                     std::min(begin + shape.chunk_rows, rows),
                     first,
                     last,
                     {parts.data() + part * size + first * shape.columns, (last - first) * shape.columns}});
    };
  });
  const std::size_t width = strips.back().first + strips.back().width;
  const double* part = parts.data();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (const ColumnStrip& strip : strips)
      for (std::size_t sample = 0; sample < samples; ++sample, part += shape.columns)
        for (std::size_t j = 0; j < strip.width; ++j) sums[sample * width + strip.first + j] += part[j];
}

}  // namespace tertium

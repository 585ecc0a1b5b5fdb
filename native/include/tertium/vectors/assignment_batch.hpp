// Many assignment problems at once, in flat arrays: for problems of 10 to 100 rows, a call from Python takes
// longer than the solution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "tertium/base/checks.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/vectors/assignment.hpp"

namespace tertium {

// Problem i has shapes[2 i] rows and shapes[2 i + 1] columns; its weights follow those of the problem
// before, and so do its rows' matches.
struct AssignmentBatch {
  std::span<const double> weights;
  std::span<const std::int64_t> shapes;
  std::span<const std::int64_t> weight_offsets;
  std::span<const std::int64_t> row_offsets;

  std::size_t size() const { return weight_offsets.size() - 1; }
  std::size_t n_rows() const { return static_cast<std::size_t>(row_offsets.back()); }

  void check() const {
    check_offsets(weight_offsets, weights.size());
    if (shapes.size() != 2 * size() || row_offsets.size() != size() + 1)
      throw std::invalid_argument("every problem needs a shape");
    for (std::size_t i = 0; i < size(); ++i) {
      const std::int64_t rows = row_offsets[i + 1] - row_offsets[i];
      const std::int64_t count = weight_offsets[i + 1] - weight_offsets[i];
      if (shapes[2 * i] != rows || rows * shapes[2 * i + 1] != count)
        throw std::invalid_argument("shapes must fit the weights");
    }
  }
};

// Fills each problem's largest total weight and, for every row, its column or -1.
inline void solve_assignment_batch(const AssignmentBatch& batch, std::size_t threads,
                                   std::span<double> totals, std::span<std::int32_t> matches) {
  parallel_for(batch.size(), threads, [&] {
    return [&, assignment = Assignment()](std::size_t i) mutable {
      const auto rows = static_cast<std::size_t>(batch.shapes[2 * i]);
      const auto columns = static_cast<std::size_t>(batch.shapes[2 * i + 1]);
      const auto begin = static_cast<std::size_t>(batch.weight_offsets[i]);
      totals[i] = assignment.solve(batch.weights.subspan(begin, rows * columns), rows, columns);
      for (std::size_t r = 0; r < rows; ++r)
        matches[static_cast<std::size_t>(batch.row_offsets[i]) + r] = assignment.match(r);
    };
  });
}

}  // namespace tertium

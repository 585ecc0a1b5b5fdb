// The best one-to-one matching on dense weights, by shortest augmenting paths (Jonker & Volgenant
// 1987; Crouse 2016 for unequal sides): O(smaller^2 x larger).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "tertium/base/checks.hpp"
#include "tertium/base/interrupts.hpp"
#include "tertium/base/parallel.hpp"
#include "tertium/base/shortcuts.hpp"

namespace tertium {

// Keeps its memory between problems; one per thread. It minimises gain lost: potentials u, v keep
// every -weight[i][j] - u[i] - v[j] at or above 0, and at 0 on the matching.
class Assignment {
 public:
  // Matches each of the smaller side with one of the larger; weights has `columns` per row. Returns the
  // largest total weight; match(i) is row i's column, or -1.
  double solve(std::span<const double> weights, std::size_t rows, std::size_t columns) {
    load(weights, rows, columns);
    match_greedily();
    for (std::size_t i = 0; i < n_; ++i)
      if (column_of_[i] == kNone) augment(i);
    return finish(weights, rows, columns);
  }

  std::int32_t match(std::size_t row) const { return match_[row]; }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // The smaller side becomes the rows: all of them get matched.
  void load(std::span<const double> weights, std::size_t rows, std::size_t columns) {
    check_finite(
        weights,
        "weights must be finite and at most 1e300");  // others compare with nothing and are never matched
    transposed_ = rows > columns;
    n_ = std::min(rows, columns);
    m_ = std::max(rows, columns);
    costs_.resize(n_ * m_);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        costs_[transposed_ ? j * m_ + i : i * m_ + j] = -weights[i * columns + j];
  }

  // A row whose cheapest column is free takes it, which leaves fewer paths to search; all columns start with
  // potential 0, as those that stay free must end.
  void match_greedily() {
    u_.assign(n_, 0.0);
    v_.assign(m_, 0.0);
    column_of_.assign(n_, kNone);
    row_of_.assign(m_, kNone);
    const bool matches = takes_shortcuts();
    for (std::size_t i = 0; i < n_; ++i) {
      const double* row = costs_.data() + i * m_;
      const auto j = static_cast<std::size_t>(std::min_element(row, row + m_) - row);
      u_[i] = row[j];
      if (row_of_[j] != kNone || !matches) continue;
      row_of_[j] = i;
      column_of_[i] = j;
    }
  }

  void augment(std::size_t start) {
    interrupt_check_.tick(n_ * m_ / 8);  // a path is rarely as long as it may be
    distance_.assign(m_, kFar);
    before_.assign(m_, kNone);
    todo_.resize(m_);
    for (std::size_t j = 0; j < m_; ++j) todo_[j] = j;
    done_.clear();
    std::size_t row = start;
    for (double reached = 0;;) {
      const std::size_t nearest = take_nearest(row, reached);
      reached = distance_[nearest];
      if (row_of_[nearest] == kNone) {
        shift_potentials(start, reached);
        flip_path(start, nearest);
        return;
      }
      done_.push_back(nearest);
      row = row_of_[nearest];
    }
  }

  // Looks from a row that is `reached` away, and takes the nearest column off the list.
  std::size_t take_nearest(std::size_t row, double reached) {
    const double* costs = costs_.data() + row * m_;
    const double offset = reached - u_[row];
    std::size_t best = 0;
    for (std::size_t k = 0; k < todo_.size(); ++k) {
      const std::size_t j = todo_[k];
      const double length = offset + costs[j] - v_[j];
      if (length < distance_[j]) {
        distance_[j] = length;
        before_[j] = row;
      }
      const double least = distance_[todo_[best]];
      if (distance_[j] < least || (distance_[j] == least && row_of_[j] == kNone)) best = k;
    }
    const std::size_t nearest = todo_[best];
    todo_[best] = todo_.back();
    todo_.pop_back();
    return nearest;
  }

  void shift_potentials(std::size_t start, double length) {
    u_[start] += length;
    for (const std::size_t j : done_) {
      u_[row_of_[j]] += length - distance_[j];
      v_[j] -= length - distance_[j];
    }
  }

  void flip_path(std::size_t start, std::size_t column) {
    for (;;) {
      const std::size_t row = before_[column];
      row_of_[column] = row;
      std::swap(column_of_[row], column);
      if (row == start) return;
    }
  }

  double finish(std::span<const double> weights, std::size_t rows, std::size_t columns) {
    match_.assign(rows, -1);
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t j = column_of_[i];
      match_[transposed_ ? j : i] = static_cast<std::int32_t>(transposed_ ? i : j);
    }
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i)
      if (match_[i] >= 0) total += weights[i * columns + static_cast<std::size_t>(match_[i])];
    return total;
  }

  InterruptCheck interrupt_check_;
  bool transposed_ = false;
  std::size_t n_ = 0;
  std::size_t m_ = 0;
  std::vector<double> costs_, u_, v_, distance_;
  std::vector<std::size_t> column_of_, row_of_, before_, todo_, done_;
  std::vector<std::int32_t> match_;
};

// Many assignment problems at once, in flat arrays: for problems of 10 to 100 rows, a call from Python takes
// longer than the solution. Problem i has shapes[2 i] rows and shapes[2 i + 1] columns; its weights follow
// those of the problem before, and so do its rows' matches.
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

// Many short sequences in two flat arrays: sequence i is ids[offsets[i], offsets[i + 1]). Every text that a
// kernel reads is such a column, so a batch of a million sentences needs two allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace tertium {

struct Column {
  std::span<const std::int32_t> ids;
  std::span<const std::int64_t> offsets;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t i) const {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    return ids.subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
  }
};

// The references of all segments, one after the other; segment i has references [groups[i], groups[i + 1]).
struct GroupedColumn {
  Column column;
  std::span<const std::int64_t> groups;

  std::size_t size() const { return groups.size() - 1; }
  std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(groups[i]); }
  std::size_t end(std::size_t i) const { return static_cast<std::size_t>(groups[i + 1]); }
  std::size_t count(std::size_t i) const { return end(i) - begin(i); }
};

// The numbers from `first` up to, but without, `last`. Clang before version 16 cannot use std::views::iota of
// GCC's library.
class NumberRange {
 public:
  class Iterator {
   public:
    explicit Iterator(std::size_t number) : number_(number) {}
    std::size_t operator*() const { return number_; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    std::size_t number_;
  };

  NumberRange(std::size_t first, std::size_t last) : first_(first), last_(last) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(last_); }

 private:
  std::size_t first_, last_;
};

// Hypotheses and the references of each: the input of nearly every kernel. Segment i has one hypothesis and
// at least one reference.
struct TextPairs {
  Column hypotheses;
  GroupedColumn references;

  std::size_t size() const { return hypotheses.size(); }
  std::size_t n_references() const { return references.column.size(); }
  std::span<const std::int32_t> hypothesis(std::size_t i) const { return hypotheses[i]; }
  std::span<const std::int32_t> reference(std::size_t r) const { return references.column[r]; }
  // The numbers r of segment i's references.
  NumberRange references_of(std::size_t i) const { return {references.begin(i), references.end(i)}; }
};

// The mean length of segment i's references, which every error rate divides by.
inline double average_length(const GroupedColumn& references, std::size_t i) {
  std::size_t total = 0;
  for (std::size_t r = references.begin(i); r < references.end(i); ++r) total += references.column[r].size();
  return static_cast<double>(total) / static_cast<double>(references.count(i));
}

}  // namespace tertium

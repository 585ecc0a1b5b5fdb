// The positions of a text's words, by their number. Constant time per word on average.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// One text at a time; keeps its lists between calls.
class WordIndex {
 public:
  // The numbers of the text's words; they must not change while the index is used.
  void read(std::span<const std::int32_t> numbers) {
    numbers_ = numbers;
    first_.fill(kNone);
    next_.resize(numbers.size());
    for (std::size_t place = numbers.size();
         place-- > 0;) {  // backwards, so that lists run from left to right
      std::int32_t& first = first_[list_of(numbers[place])];
      next_[place] = first;
      first = static_cast<std::int32_t>(place);
    }
  }

  // Calls take(place) for every word with this number, from left to right.
  template <typename Take>
  void find(std::int32_t number, const Take& take) const {
    for (std::int32_t at = first_[list_of(number)]; at != kNone;) {
      const auto place = static_cast<std::size_t>(at);
      if (numbers_[place] == number) take(place);
      at = next_[place];
    }
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // Many more lists than a sentence has words: most are empty or have one.
  static std::size_t list_of(std::int32_t number) {
    return static_cast<std::uint32_t>(number) * std::uint32_t{0x9e3779b1} >> 24;
  }

  std::span<const std::int32_t> numbers_;
  std::array<std::int32_t, 256> first_;
  std::vector<std::int32_t> next_;  // of the same list
};

}  // namespace tertium

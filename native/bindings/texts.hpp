// Many texts as Python holds them: views of strings or of a file's bytes, which the column keeps alive.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "tertium/base/lines.hpp"
#include "tertium/base/vocabulary.hpp"

namespace tertium::bindings {

// Lists come as Python's own, for a failing allocation in nanobind's conversion to a vector ends the process.
using Strings = nb::typed<nb::list, nb::str>;
using Numbers = nb::typed<nb::list, std::size_t>;

// The view is valid as long as the array.
inline std::string_view as_text(const Array1<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The views are valid as long as the list keeps its strings.
inline TextViews borrow_strings(const nb::list& texts) {
  TextViews views;
  views.reserve(texts.size());
  for (const nb::handle text : texts) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    views.emplace_back(data, static_cast<std::size_t>(size));
  }
  return views;
}

// Whether all are Python's own strings.
inline bool are_strings(const nb::list& values) {
  for (const nb::handle value : values)
    if (!PyUnicode_CheckExact(value.ptr())) return false;
  return true;
}

// A column of texts. Columns made from others share their bytes.
class HeldTexts {
 public:
  // The list must not change afterwards.
  explicit HeldTexts(const Strings& strings) : views_(borrow_strings(strings)), owners_{strings} {}

  // The lines of a file, or of texts that were joined; nothing if the bytes are not UTF-8.
  static std::optional<HeldTexts> from_lines(const Array1<std::uint8_t>& buffer, bool of_file) {
    const std::string_view bytes = as_text(buffer);
    HeldTexts made;
    const bool is_sound = compute([&] {
      if (!is_utf8(bytes)) return false;
      made.views_ = split_lines(bytes, of_file ? LineEnds::file : LineEnds::plain);
      return true;
    });
    if (!is_sound) return std::nullopt;
    made.owners_.push_back(nb::cast(buffer));
    return made;
  }

  // Texts in memory that the owners keep alive.
  HeldTexts(TextViews views, std::vector<nb::object> owners)
      : views_(std::move(views)), owners_(std::move(owners)) {}

  // The words of a vocabulary from id `first` on.
  static HeldTexts from_words(const nb::typed<nb::object, Vocabulary>& vocabulary, std::size_t first) {
    const auto words = nb::cast<const Vocabulary&>(vocabulary).words(first);
    TextViews views;
    views.assign(words.begin(), words.end());
    return {std::move(views), {vocabulary}};
  }

  // The first text of each column, then the second of each, and so on; all have the same length.
  static HeldTexts interleave(const nb::typed<nb::list, HeldTexts>& given) {
    std::vector<const HeldTexts*> columns;
    for (const nb::handle column : given) columns.push_back(nb::cast<const HeldTexts*>(column));
    HeldTexts made;
    for (const HeldTexts* column : columns) {
      if (column->size() != columns.front()->size()) throw std::invalid_argument("columns differ in length");
      made.owners_.insert(made.owners_.end(), column->owners_.begin(), column->owners_.end());
    }
    const std::size_t rows = columns.empty() ? 0 : columns.front()->size();
    made.views_.reserve(rows * columns.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (const HeldTexts* column : columns) made.views_.push_back(column->views_[row]);
    return made;
  }

  HeldTexts slice(std::size_t start, std::size_t stop, std::size_t step) const {
    HeldTexts made;
    made.owners_ = owners_;
    for (std::size_t i = start; i < std::min(stop, size()); i += step) made.views_.push_back(views_[i]);
    return made;
  }

  // A Python object that keeps the bytes alive.
  static nb::object hold(std::unique_ptr<char[]> bytes) {
    nb::capsule owner(bytes.get(), [](void* p) noexcept { delete[] static_cast<char*>(p); });
    bytes.release();  // only now that the capsule exists
    return owner;
  }

  std::size_t size() const { return views_.size(); }
  std::span<const std::string_view> views() const { return views_; }
  std::string_view at(std::size_t i) const {
    if (i >= size()) throw nb::index_error("no such text");
    return views_[i];
  }
  Strings to_list() const {
    nb::list texts;
    for (const std::string_view text : views_) texts.append(text);
    return Strings(std::move(texts));
  }
  // The texts in lower case as far as they are ASCII, and the numbers of those that are not.
  std::pair<HeldTexts, std::vector<std::int64_t>> lower_ascii() const {
    HeldTexts made;
    made.owners_ = owners_;
    std::vector<std::int64_t> others;
    auto lowered = compute([&] { return tertium::lower_ascii(views_, others); });
    made.views_ = std::move(lowered.views);
    made.owners_.push_back(hold(std::move(lowered.bytes)));
    return {std::move(made), std::move(others)};
  }
  HeldTexts pick(const Numbers& numbers) const {
    HeldTexts made;
    made.owners_ = owners_;
    for (const nb::handle number : numbers) made.views_.push_back(at(nb::cast<std::size_t>(number)));
    return made;
  }
  // Puts other texts into the places of these numbers.
  void put(const Numbers& numbers, const HeldTexts& texts) {
    if (numbers.size() != texts.size()) throw std::invalid_argument("a text is needed for each number");
    owners_.insert(owners_.end(), texts.owners_.begin(), texts.owners_.end());  // first, because it may fail
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto number = nb::cast<std::size_t>(numbers[k]);
      at(number);
      views_[number] = texts.views_[k];
    }
  }
  // The texts in one, or nothing if a text has a line end inside.
  nb::object joined() const {
    for (const std::string_view text : views_)
      if (text.find('\n') != std::string_view::npos) return nb::none();
    const std::string whole = join_lines(views_);
    return nb::bytes(whole.data(), whole.size());
  }

 private:
  HeldTexts() = default;

  TextViews views_;
  std::vector<nb::object> owners_;
};

}  // namespace tertium::bindings

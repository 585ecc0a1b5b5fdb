// Choices that callers make by name. A choice is declared once, in a table of (name, value): parsing, error
// messages and the list of names all read that table.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

// The value with this name; `noun` is what the error message calls it.
template <typename Value>
const Value& find_named(std::span<const Named<Value>> table, std::string_view name, std::string_view noun) {
  for (const Named<Value>& entry : table)
    if (entry.name == name) return entry.value;
  std::string complaint =
      "there is no " + std::string(noun) + " called '" + std::string(name) + "'; choose from";
  for (const Named<Value>& entry : table) complaint.append(" ").append(entry.name);
  throw std::invalid_argument(complaint);
}

template <typename Value>
std::vector<std::string> names_of(std::span<const Named<Value>> table) {
  std::vector<std::string> names;
  for (const Named<Value>& entry : table) names.emplace_back(entry.name);
  return names;
}

}  // namespace tertium

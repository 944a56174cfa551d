#include "failure.hpp"

#include <cxxabi.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

namespace kumite {
namespace {

// Bytes of the line that tells the referee of a failure.
constexpr std::size_t kLongestFailure = 500;
// The smallest code point that needs so many bytes.
constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
constexpr std::uint32_t kLargest = 0x10FFFF;
// Code points that UTF-8 must not contain.
constexpr std::uint32_t kFirstSurrogate = 0xD800;
constexpr std::uint32_t kLastSurrogate = 0xDFFF;

// The number of bytes of the UTF-8 character with which a text begins; 0: it begins with none.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const auto ones = static_cast<std::size_t>(std::countl_one(first));
  if (ones == 0) {
    return 1;
  }
  if (ones == 1 || ones >= kSmallest.size() || text.size() < ones) {
    return 0;
  }
  std::uint32_t code = first & (0x7FU >> ones);
  for (std::size_t i = 1; i < ones; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (std::countl_one(byte) != 1) {
      return 0;
    }
    code = code << 6U | (byte & 0x3FU);
  }
  const bool surrogate = code >= kFirstSurrogate && code <= kLastSurrogate;
  return code < kSmallest[ones] || code > kLargest || surrogate ? 0 : ones;
}

// The name of the type of the exception that is being handled.
std::string thrown_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    return "an exception of another language";
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return name ? name.get() : type->name();
}

}  // namespace

std::string thrown() {
  const std::string type = thrown_type();
  try {
    throw;
  } catch (const std::exception& error) {
    return type + ": " + error.what();
  } catch (const std::string& text) {
    return type + ": " + text;
  } catch (const char* text) {
    return type + ": " + text;
  } catch (...) {
    return type;
  }
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t bytes = character(text);
    const std::string_view whole = bytes == 0 ? "?" : text.substr(0, bytes);
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte > ' ' && byte != '\x7F') {
      if (line.size() + whole.size() > kLongestFailure) {
        break;
      }
      line += whole;
    } else if (!line.empty() && line.back() != ' ' && line.size() < kLongestFailure) {
      line += ' ';
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  if (!line.empty() && line.back() == ' ') {
    line.pop_back();
  }
  return line;
}

}  // namespace kumite

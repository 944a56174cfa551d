// What the referee is told when the bot throws.
#pragma once

#include <string>
#include <string_view>

namespace kumite {

// The exception that is being handled: its type and, where it has one, its text. To be called in a catch block.
std::string thrown();

// A text in one line that is not too long and can be sent: bytes that are no UTF-8 become question marks.
std::string one_line(std::string_view text);

}  // namespace kumite

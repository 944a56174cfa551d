// When and where to dial again after the end of a stream, and when to give up.
#pragma once

#include <chrono>
#include <optional>
#include <random>
#include <string>

#include "session.hpp"

namespace kumite {

// For how long a bot that was never welcomed dials, and how long an open stream may stay without a welcome.
inline constexpr Seconds kStrangerPatience(30);
// For how long a bot dials that has lost its referee: a restart may take minutes, and tables wait.
inline constexpr Seconds kGuestPatience(600);
// Pauses between two attempts to connect double from the first to the longest (back-off).
inline constexpr Seconds kFirstPause(0.1);
inline constexpr Seconds kLongestPause(10);
// The longest that a referee can have the bot wait before it dials again.
inline constexpr Seconds kLongestWait(600);

class Redial {
 public:
  using Time = std::chrono::time_point<std::chrono::steady_clock, Seconds>;

  // Starts now, with the address that the bot was given.
  Redial(const std::string& address, Time now) : first_(address), address_(address), alive_(now) {}

  // Where to dial next.
  const std::string& address() const { return address_; }

  // Takes in how a stream ended; `closing` is empty if the referee said nothing about it. Returns how long to wait before
  // the bot dials again; nothing: it is to give up.
  std::optional<Seconds> next(Time opened, Time ended, bool welcomed, const std::optional<Closing>& closing);

  // What may be wrong if no referee ever said anything.
  std::string hint(bool tls) const;

 private:
  std::string first_;
  std::string address_;
  Seconds pause_ = kFirstPause;
  Time alive_;            // when a referee was last heard of
  bool patient_ = false;  // whether the bot waits as one that a referee knows
  bool spoken_ = false;   // whether a referee ever said anything
  std::mt19937_64 jitter_{std::random_device{}()};
};

}  // namespace kumite

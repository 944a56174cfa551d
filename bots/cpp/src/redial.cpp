#include "redial.hpp"

#include <algorithm>

namespace kumite {

std::optional<Seconds> Redial::next(Time opened, Time ended, bool welcomed, const std::optional<Closing>& closing) {
  spoken_ = spoken_ || welcomed || closing;
  if (welcomed || (closing && closing->next == Next::kAwaitRestart)) {
    alive_ = ended;
    patient_ = true;
  }
  if (welcomed && ended - opened > kLongestPause) {
    pause_ = kFirstPause;  // after streams that are closed at once the pauses grow on
  }
  if (closing && !closing->address.empty()) {
    address_ = closing->address;
    patient_ = true;
  } else if (!welcomed) {
    address_ = first_;  // where a redirection led does not answer
  }
  if (ended - alive_ > (patient_ ? kGuestPatience : kStrangerPatience)) {
    return std::nullopt;
  }
  Seconds wait = pause_ * std::uniform_real_distribution(0.5, 1.0)(jitter_);
  pause_ = std::min(2 * pause_, kLongestPause);
  if (const Seconds asked = closing ? std::min(closing->retry_after, kLongestWait) : Seconds(0); asked > Seconds(0)) {
    wait = std::max(wait, asked);
    alive_ = ended + wait;  // what the referee asks for does not count against its patience
  }
  return wait;
}

std::string Redial::hint(bool tls) const {
  if (spoken_) {
    return "";
  }
  return tls ? " (if a referee is there, it may speak without TLS: try without --tls-ca)"
             : " (if a referee is there, it may speak TLS: try --tls-ca FILE)";
}

}  // namespace kumite

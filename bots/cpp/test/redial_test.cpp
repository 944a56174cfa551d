// When the bot dials again and when it gives up.
#include "redial.hpp"

#include <iostream>

namespace {

using kumite::Closing;
using kumite::Next;
using kumite::Redial;
using kumite::Seconds;

constexpr Seconds kMinute(60), kHour(3600);
constexpr auto kUnknownCode = static_cast<pb::FaultCode>(4711);
const Redial::Time kStart{};
const std::optional<Closing> kUnsaid;

int failures = 0;

void check(bool holds, const char* fact) {
  if (!holds) {
    ++failures;
    std::cerr << "does not hold: " << fact << '\n';
  }
}

std::optional<Closing> closed(pb::FaultCode code, const std::string& address = "", std::int64_t retry_after_us = 0) {
  pb::Fault fault;
  fault.set_code(code);
  fault.set_closes_stream(true);
  fault.set_address(address);
  fault.set_retry_after_us(retry_after_us);
  return kumite::closing_of(fault);
}

// Lets every attempt fail from a start on; returns after how long the bot gave up.
Seconds outage(Redial& redial, Redial::Time start) {
  Redial::Time now = start;
  while (const auto wait = redial.next(now, now, false, kUnsaid)) {
    check(*wait >= kumite::kFirstPause / 2 && *wait <= kumite::kLongestPause, "pauses stay within their bounds");
    now += *wait;
  }
  return now - start;
}

void a_bot_that_was_never_welcomed_gives_up_after_half_a_minute() {
  Redial redial("first:1", kStart);
  const Seconds lasted = outage(redial, kStart);

  check(lasted >= kumite::kStrangerPatience && lasted <= kumite::kStrangerPatience + kumite::kLongestPause,
        "a stranger dials for half a minute");
}

void a_bot_that_was_welcomed_dials_for_ten_minutes() {
  for (const auto& closing : {closed(pb::FAULT_CODE_RESTARTING), closed(kUnknownCode), kUnsaid}) {
    Redial redial("first:1", kStart);
    check(redial.next(kStart, kStart + kHour, true, closing).has_value(), "it dials again");
    const Seconds lasted = outage(redial, kStart + kHour);
    check(lasted >= kumite::kGuestPatience && lasted <= kumite::kGuestPatience + kumite::kLongestPause,
          "a bot that lost its referee dials for ten minutes");
  }
}

void a_redirection_leads_to_the_other_address_and_a_failure_there_back() {
  Redial redial("first:1", kStart);
  redial.next(kStart, kStart, true, closed(pb::FAULT_CODE_REDIRECTED, "second:2"));
  check(redial.address() == "second:2", "a redirection is followed");
  redial.next(kStart, kStart, true, kUnsaid);
  check(redial.address() == "second:2", "a break at the second address leads there again");
  redial.next(kStart, kStart, false, kUnsaid);
  check(redial.address() == "first:1", "a second address that does not answer leads back");
}

void the_referees_own_pause_is_kept_and_not_held_against_it() {
  Redial redial("first:1", kStart);
  check(redial.next(kStart, kStart, false, closed(pb::FAULT_CODE_FULL, "", 60'000'000)) >= kMinute, "it waits so long");
  const Redial::Time later = kStart + kMinute + Seconds(1);
  check(redial.next(later, later, false, kUnsaid).has_value(), "and does not give up after that");
  check(redial.next(later, later, false, closed(pb::FAULT_CODE_FULL, "", INT64_MAX)) == kumite::kLongestWait,
        "but never longer than ten minutes");
}

void streams_that_are_closed_at_once_are_opened_less_and_less_often() {
  Redial redial("first:1", kStart);
  for (int i = 0; i < 10; ++i) {
    redial.next(kStart, kStart, true, kUnsaid);
  }
  check(redial.next(kStart, kStart, true, kUnsaid) >= kumite::kLongestPause / 2, "the pause has grown");
  check(redial.next(kStart, kStart + kMinute, true, kUnsaid) <= kumite::kFirstPause, "a long stream makes it short");
}

void every_closing_code_says_what_to_do() {
  check(closed(pb::FAULT_CODE_SHUTDOWN)->next == Next::kLeave, "SHUTDOWN: leave");
  check(closed(pb::FAULT_CODE_TAKEN_OVER)->next == Next::kLeave, "TAKEN_OVER: leave");
  for (const auto code : {pb::FAULT_CODE_REVOKED, pb::FAULT_CODE_KICKED, pb::FAULT_CODE_NO_GAME,
                          pb::FAULT_CODE_BAD_HELLO, pb::FAULT_CODE_VERSION, pb::FAULT_CODE_NAME_TAKEN}) {
    check(closed(code)->next == Next::kGiveUp, pb::FaultCode_Name(code).c_str());
  }
  check(closed(pb::FAULT_CODE_RESTARTING)->next == Next::kAwaitRestart, "RESTARTING: wait for it");
  check(closed(pb::FAULT_CODE_REDIRECTED)->next == Next::kResume, "REDIRECTED: resume");
  check(closed(kUnknownCode)->next == Next::kResume, "a later code: resume");
}

}  // namespace

int main() {
  a_bot_that_was_never_welcomed_gives_up_after_half_a_minute();
  a_bot_that_was_welcomed_dials_for_ten_minutes();
  a_redirection_leads_to_the_other_address_and_a_failure_there_back();
  the_referees_own_pause_is_kept_and_not_held_against_it();
  streams_that_are_closed_at_once_are_opened_less_and_less_often();
  every_closing_code_says_what_to_do();
  return failures == 0 ? 0 : 1;
}

#include "session.hpp"

#include <chrono>
#include <cmath>
#include <sstream>

#include "failure.hpp"

namespace kumite {
namespace {

constexpr std::uint32_t kProtocolVersion = 1;
// How long answers wait for each other, to travel in one message.
constexpr std::chrono::milliseconds kTogether(2);

// The bot's randomness for one question.
Luck luck_for(std::uint64_t seed, const pb::Ask& ask) {
  const std::string source = std::to_string(seed) + '/' + ask.match_id() + '/' + std::to_string(ask.seat()) + '/' +
                             std::to_string(ask.ask());
  std::seed_seq sequence(source.begin(), source.end());
  return Luck(sequence);
}

Next next_after(pb::FaultCode code) {
  switch (code) {
    case pb::FAULT_CODE_SHUTDOWN:
    case pb::FAULT_CODE_TAKEN_OVER:
      return Next::kLeave;
    case pb::FAULT_CODE_VERSION:
    case pb::FAULT_CODE_UNAUTHENTICATED:
    case pb::FAULT_CODE_BAD_HELLO:
    case pb::FAULT_CODE_NAME_TAKEN:
    case pb::FAULT_CODE_OUT_OF_ORDER:
    case pb::FAULT_CODE_NO_GAME:
    case pb::FAULT_CODE_REVOKED:
    case pb::FAULT_CODE_KICKED:
      return Next::kGiveUp;
    case pb::FAULT_CODE_RESTARTING:
      return Next::kAwaitRestart;
    default:  // the tables are left to be resumed
      return Next::kResume;
  }
}

}  // namespace

Closing closing_of(const pb::Fault& fault) {
  return {
      fault.message(),
      next_after(fault.code()),
      fault.code() == pb::FAULT_CODE_REDIRECTED ? fault.address() : "",
      std::chrono::microseconds(fault.retry_after_us()),
  };
}

pb::PlayRequest Session::hello() {
  welcomed_ = false;
  closing_.reset();
  pb::PlayRequest request;
  pb::Hello& hello = *request.mutable_hello();
  hello.set_protocol_version(kProtocolVersion);
  hello.set_name(config_.name);
  hello.set_software(config_.software);
  hello.set_tables(config_.tables);
  hello.set_resume_token(memory_.token());
  return request;
}

void Session::receive(const pb::PlayResponse& message, const Send& send) {
  pb::PlayRequest reply;
  if (message.has_welcome()) {
    welcome(message.welcome());
  }
  for (const pb::Seated& seated : message.seated()) {
    games_[{seated.match_id(), seated.seat()}] = seated.game();
    if (!seated.is_ready()) {
      pb::Ready& ready = *reply.add_ready();
      ready.set_match_id(seated.match_id());
      ready.set_seat(seated.seat());
    }
  }
  auto sent = std::chrono::steady_clock::now();
  for (const pb::Ask& ask : message.asks()) {
    answer(ask, reply);
    // A failure does not wait for the next thought.
    if (const auto now = std::chrono::steady_clock::now(); now - sent > kTogether || reply.failures_size() > 0) {
      send(reply);
      reply.Clear();
      sent = now;
    }
  }
  for (const pb::Over& end : message.over()) {
    over(end);
  }
  for (const pb::Fault& trouble : message.faults()) {
    fault(trouble);
  }
  if (reply.ready_size() + reply.answers_size() + reply.failures_size() > 0) {
    send(reply);
  }
}

void Session::welcome(const pb::Welcome& welcome) {
  welcomed_ = known_ = true;
  if (welcome.resume_token() != memory_.token()) {
    games_.clear();  // a referee with a new token knows nothing of our old tables
  }
  memory_.keep(welcome.resume_token());
  report(welcome.name() + (welcome.resumed() ? " took its tables up again" : " connected") + " (referee " +
         welcome.referee_version() + ")");
}

void Session::answer(const pb::Ask& ask, pb::PlayRequest& reply) {
  std::uint32_t option = 0;
  try {
    Luck luck = luck_for(config_.seed, ask);
    option = bot_.decide(ask, luck);
  } catch (...) {
    fail(ask, thrown(), reply);
    return;
  }
  pb::Answer& answer = *reply.add_answers();
  answer.set_match_id(ask.match_id());
  answer.set_ask(ask.ask());
  answer.set_seat(ask.seat());
  answer.set_option(option);
}

void Session::fail(const pb::Ask& ask, const std::string& reason, pb::PlayRequest& reply) {
  report("the bot failed at ask " + std::to_string(ask.ask()) + " (" + ask.kind() + ") of match " + ask.match_id() +
         ": " + reason);
  pb::Failure& failure = *reply.add_failures();
  failure.set_match_id(ask.match_id());
  failure.set_ask(ask.ask());
  failure.set_seat(ask.seat());
  failure.set_message(one_line(reason));
}

void Session::over(const pb::Over& over) {
  const auto place = games_.extract({over.match_id(), over.seat()});
  std::ostringstream line;
  line << "match " << over.match_id() << " (" << (place ? place.mapped() : "unknown") << ") is over: ";
  const pb::Result& result = over.result();
  const int seat = static_cast<int>(over.seat());
  if (seat < result.places_size() && seat < result.points_size()) {
    line << "place " << result.places(seat) << " of " << result.places_size() << ", " << result.points(seat)
         << " points";
  } else {
    line << "stopped";
  }
  if (seat < over.ratings_size()) {
    const pb::SeatRating& rating = over.ratings(seat);
    line << ", rating " << std::lround(rating.rating_before()) << " -> " << std::lround(rating.rating_after());
  }
  for (const pb::Ending& ending : over.endings()) {
    if (!ending.message().empty()) {
      line << "; " << ending.message();
    }
  }
  report(line.str());
}

void Session::fault(const pb::Fault& fault) {
  if (fault.closes_stream()) {
    if (fault.code() == pb::FAULT_CODE_UNKNOWN_RESUME) {
      memory_.keep("");  // say hello afresh
    }
    closing_ = closing_of(fault);
    return;
  }
  const std::string& code = pb::FaultCode_Name(fault.code());  // empty: of a later version
  std::ostringstream line;
  line << "fault " << (code.empty() ? std::to_string(fault.code()) : code);
  if (!fault.match_id().empty()) {
    line << ", match " << fault.match_id() << ", seat " << fault.seat() << ", ask " << fault.ask();
  }
  line << ": " << fault.message();
  report(line.str());
}

}  // namespace kumite

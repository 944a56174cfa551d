// What a bot knows about its referee, across any number of streams: understands messages, and says what is due.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bot.hpp"
#include "config.hpp"
#include "resume.hpp"

namespace kumite {

// What to do when the referee has closed a stream.
enum class Next {
  kResume,
  kAwaitRestart,  // resume as well; the referee may be away for minutes
  kLeave,
  kGiveUp,
};

using Seconds = std::chrono::duration<double>;

// Why the referee closes a stream.
struct Closing {
  std::string message;
  Next next;
  std::string address;  // where the tables are now; empty: where they were
  Seconds retry_after;  // how long to wait at least before dialling again
};

// What a fault that closes the stream means. A code of a later protocol means: resume.
Closing closing_of(const pb::Fault& fault);

class Session {
 public:
  using Send = std::function<void(const pb::PlayRequest&)>;

  Session(const Config& config, Bot& bot, ResumeFile& memory) : config_(config), bot_(bot), memory_(memory) {}

  // The first message of a new stream.
  pb::PlayRequest hello();

  // Acts on a message, in the order in which its parts are meant, and sends what is due. Pings are not its business, and
  // events (told) do not come, because the hello does not want any.
  void receive(const pb::PlayResponse& message, const Send& send);

  // Whether the current stream is open for play.
  bool welcomed() const { return welcomed_; }

  // Why the referee closes the current stream, if it does.
  const std::optional<Closing>& closing() const { return closing_; }

  // Whether nothing is left to resume: the referee has welcomed the bot, and no match of its runs.
  bool idle() const { return known_ && games_.empty(); }

 private:
  using Place = std::pair<std::string, std::uint32_t>;  // match and seat

  void welcome(const pb::Welcome& welcome);
  void answer(const pb::Ask& ask, pb::PlayRequest& reply);
  void fail(const pb::Ask& ask, const std::string& reason, pb::PlayRequest& reply);
  void over(const pb::Over& over);
  void fault(const pb::Fault& fault);

  const Config& config_;
  Bot& bot_;
  ResumeFile& memory_;
  std::map<Place, std::string> games_;  // what is played at each place
  bool known_ = false;

  // Of the current stream:
  bool welcomed_ = false;
  std::optional<Closing> closing_;
};

}  // namespace kumite

// What the bot tells the referee when it throws.
#include "failure.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "session.hpp"

namespace {

using kumite::one_line;

int failures = 0;

void check(bool holds, const char* fact) {
  if (!holds) {
    ++failures;
    std::cerr << "does not hold: " << fact << '\n';
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

// Throws at the first four asks of a match.
class Failing : public kumite::Bot {
 public:
  std::uint32_t decide(const pb::Ask& ask, kumite::Luck&) override {
    switch (ask.ask()) {
      case 1:
        throw std::runtime_error("no such\ncard");
      case 2:
        throw std::string("no card");
      case 3:
        throw "no card at all";
      case 4:
        throw 5;
      default:
        return 0;
    }
  }
};

void a_failure_is_told_before_the_next_thought_and_the_next_ask_is_answered() {
  const std::vector<std::string> texts = {"std::runtime_error: no such card", "no card", "char const*: no card at all",
                                          "int"};
  const kumite::Config config;
  kumite::ResumeFile memory(config);
  Failing bot;
  kumite::Session session(config, bot, memory);
  pb::PlayResponse message;
  for (std::uint32_t number = 1; number <= texts.size() + 1; ++number) {
    pb::Ask& ask = *message.add_asks();
    ask.set_match_id("a");
    ask.set_seat(2);
    ask.set_ask(number);
    ask.set_option_count(2);
  }
  std::vector<pb::PlayRequest> sent;
  session.receive(message, [&sent](const pb::PlayRequest& request) { sent.push_back(request); });

  check(sent.size() == texts.size() + 1, "each failure and the answer have a message of their own");
  for (std::size_t i = 0; i < std::min(sent.size(), texts.size()); ++i) {
    check(sent[i].failures_size() == 1 && sent[i].answers_size() == 0, "a failure, and nothing else");
    const pb::Failure& failure = sent[i].failures(0);
    check(failure.match_id() == "a" && failure.seat() == 2 && failure.ask() == i + 1, "it names the ask");
    check(failure.message().ends_with(texts[i]), texts[i].c_str());
  }
  const pb::PlayRequest& last = sent.back();
  check(last.answers_size() == 1 && last.answers(0).ask() == texts.size() + 1, "the last ask is answered");
}

void a_failure_is_one_short_line_of_utf8() {
  check(one_line(" no\tsuch \r\n\n card\x1b here ") == "no such card here", "white space and control signs are one space");
  check(one_line("Größe 🀄") == "Größe 🀄", "UTF-8 is kept");
  check(one_line("caf\xe9 \xc3") == "caf? ?", "half a character is a question mark");
  check(one_line("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xff") == "?? ??? ???? ?", "so is what looks like UTF-8 only");
  check(one_line(repeated("é", 251)) == repeated("é", 250), "it has at most 500 bytes");
  check(one_line("a" + repeated("é", 250)) == "a" + repeated("é", 249), "no character is cut in two");
  check(one_line(repeated("a", 499) + "  b") == repeated("a", 499), "no space is left at the end");
  check(one_line("").empty() && one_line(" \n").empty(), "an empty text stays so");
}

}  // namespace

int main() {
  a_failure_is_told_before_the_next_thought_and_the_next_ask_is_answered();
  a_failure_is_one_short_line_of_utf8();
  return failures == 0 ? 0 : 1;
}

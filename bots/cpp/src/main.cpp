// A bot for the Kumite referee: random in every game, and with --bot edo_yashiki a player of Edo Yashiki.
#include <getopt.h>
#include <pthread.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>

#include "client.hpp"
#include "edo_yashiki/player.hpp"
#include "random_bot.hpp"

namespace {

using kumite::Bot;
using kumite::Config;

constexpr std::uint64_t kMostTables = 1 << 16;
constexpr char kHelp[] =
    "usage: kumite-cpp [options]\n"
    "  --address ADDRESS  the referee: host:port or unix:/path (default $KUMITE_ADDRESS or localhost:7400)\n"
    "  --name NAME        name at the referee (default $KUMITE_NAME or cpp-random and the like;\n"
    "                     with a token none: the token is the name)\n"
    "  --token TOKEN      bearer token, if the referee wants one (default $KUMITE_TOKEN)\n"
    "  --tls-ca FILE      use TLS and trust the certificate authority in this PEM file\n"
    "  --bot BOT          who plays: random or edo_yashiki (default random)\n"
    "  --tables N         tables to play at a time (default 1)\n"
    "  --seed N           number from which all luck of the bot grows (default a random one)\n"
    "  --state DIR        folder for the resume token\n"
    "                     (default $KUMITE_STATE, $XDG_STATE_HOME/kumite or ~/.local/state/kumite)\n";

// A mistake on the command line.
class Usage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Where programs keep what they need to remember for this user; empty: nowhere.
std::string state_folder() {
  if (const std::string given = variable("KUMITE_STATE"); !given.empty()) {
    return given;
  }
  if (const std::string base = variable("XDG_STATE_HOME"); !base.empty()) {
    return base + "/kumite";
  }
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.local/state/kumite";
}

std::uint64_t number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw Usage("--" + option + " must be a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

// The players of this program, by name.
std::unique_ptr<Bot> bot_called(const std::string& name) {
  if (name == "random") {
    return std::make_unique<kumite::RandomBot>();
  }
  if (name == "edo_yashiki") {
    return std::make_unique<kumite::edo_yashiki::EdoYashikiBot>(std::make_unique<kumite::RandomBot>());
  }
  throw Usage("no bot \"" + name + "\"; there are: edo_yashiki, random");
}

// The options that were given, by name.
std::map<std::string, std::string> options(int argc, char** argv) {
  const option known[] = {
      {"address", required_argument, nullptr, 0}, {"name", required_argument, nullptr, 0},
      {"token", required_argument, nullptr, 0},   {"tls-ca", required_argument, nullptr, 0},
      {"bot", required_argument, nullptr, 0},     {"tables", required_argument, nullptr, 0},
      {"seed", required_argument, nullptr, 0},    {"state", required_argument, nullptr, 0},
      {"help", no_argument, nullptr, 0},          {nullptr, 0, nullptr, 0},
  };
  std::map<std::string, std::string> given;
  opterr = 0;
  int index = 0;
  for (int found = 0; (found = getopt_long(argc, argv, "", known, &index)) != -1;) {
    if (found != 0) {
      throw Usage("cannot use " + std::string(argv[optind - 1]) + "; see --help");
    }
    given[known[index].name] = optarg == nullptr ? "" : optarg;
  }
  if (optind < argc) {
    throw Usage("unexpected argument " + std::string(argv[optind]) + "; see --help");
  }
  return given;
}

// The configuration, from what was given, the environment, and what is usual.
Config configuration(const std::map<std::string, std::string>& given, const std::string& bot) {
  const auto first = [&given](const char* name, const std::string& otherwise) {
    const auto found = given.find(name);
    return found == given.end() || found->second.empty() ? otherwise : found->second;
  };
  const auto or_else = [](const std::string& text, const std::string& otherwise) {
    return text.empty() ? otherwise : text;
  };
  Config config;
  config.address = first("address", or_else(variable("KUMITE_ADDRESS"), "localhost:7400"));
  config.token = first("token", variable("KUMITE_TOKEN"));
  const std::string usual = or_else(variable("KUMITE_NAME"), "cpp-" + bot);
  config.name = first("name", config.token.empty() ? usual : "");  // with a token the referee knows the name
  config.ca_file = first("tls-ca", "");
  config.state = first("state", state_folder());
  config.software = "kumite-cpp " + bot + " " + KUMITE_VERSION;
  config.tables = static_cast<std::uint32_t>(number("tables", first("tables", "1"), 1, kMostTables));
  config.seed = number("seed", first("seed", std::to_string(std::random_device{}())), 0, UINT64_MAX);
  return config;
}

// Ends the bot on SIGTERM and Ctrl-C. The signals are blocked in every thread and waited for in one.
void heed_signals(kumite::Stop& stop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, &stop] {
    int number = 0;
    sigwait(&signals, &number);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // a second signal ends the program the hard way
    stop.request();
    pause();
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  static kumite::Stop stop;  // outlives the thread that waits for signals
  try {
    const auto given = options(argc, argv);
    if (given.contains("help")) {
      std::cout << kHelp;
      return 0;
    }
    const auto chosen = given.find("bot");
    const std::string name = chosen == given.end() ? "random" : chosen->second;
    const std::unique_ptr<Bot> bot = bot_called(name);
    const Config config = configuration(given, name);
    heed_signals(stop);
    kumite::run(config, *bot, stop);
  } catch (const std::exception& error) {
    kumite::report(error.what());
    return 2;
  }
  return 0;
}

#include "client.hpp"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <deque>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "referee/v1/play.grpc.pb.h"
#include "redial.hpp"
#include "resume.hpp"
#include "session.hpp"

namespace kumite {
namespace {

using Clock = std::chrono::steady_clock;

// Messages that may wait while the bot thinks. The referee has at most one question open per seat, so that no number of
// tables fills it; if it were full, pings would wait too.
constexpr std::size_t kInbox = 4096;
constexpr int kLargestMessage = 64 << 20;

// One open Play call. A thread of its own reads it and returns pings, so that a thinking bot stays alive.
class Stream {
 public:
  Stream(pb::RefereeService::Stub& referee, grpc::ClientContext& context)
      : context_(context), call_(referee.Play(&context)), reader_([this] { read(); }) {}

  ~Stream() {
    context_.TryCancel();
    {
      const std::lock_guard lock(receiving_);
      leaving_ = true;
    }
    changed_.notify_all();
    reader_.join();
  }

  // Sends a message. If the stream is broken, the reader finds out why.
  void send(const pb::PlayRequest& message) {
    const std::lock_guard lock(sending_);
    if (!finished_) {
      call_->Write(message);
    }
  }

  // The next message; nothing if the stream has ended, or none came in time.
  std::optional<pb::PlayResponse> receive(std::optional<Seconds> patience) {
    std::unique_lock lock(receiving_);
    const auto ready = [this] { return ended_.has_value() || !inbox_.empty(); };
    if (patience) {
      changed_.wait_for(lock, *patience, ready);
    } else {
      changed_.wait(lock, ready);
    }
    if (inbox_.empty()) {
      return std::nullopt;
    }
    std::optional<pb::PlayResponse> message(std::move(inbox_.front()));
    inbox_.pop_front();
    changed_.notify_all();
    return message;
  }

  // How the stream ended; nothing if it has not.
  std::optional<grpc::Status> ended() {
    const std::lock_guard lock(receiving_);
    return ended_;
  }

 private:
  void read() {
    pb::PlayResponse message;
    while (call_->Read(&message)) {
      if (message.has_ping()) {
        pb::PlayRequest pong;
        pong.mutable_pong()->set_nonce(message.ping().nonce());
        send(pong);
      }
      std::unique_lock lock(receiving_);
      changed_.wait(lock, [this] { return leaving_ || inbox_.size() < kInbox; });
      inbox_.push_back(std::move(message));
      changed_.notify_all();
    }
    const std::scoped_lock lock(sending_, receiving_);
    finished_ = true;
    ended_ = call_->Finish();
    changed_.notify_all();
  }

  grpc::ClientContext& context_;
  std::unique_ptr<grpc::ClientReaderWriter<pb::PlayRequest, pb::PlayResponse>> call_;

  std::mutex sending_;
  bool finished_ = false;  // nothing more is sent

  std::mutex receiving_;
  std::condition_variable changed_;
  std::deque<pb::PlayResponse> inbox_;
  std::optional<grpc::Status> ended_;
  bool leaving_ = false;

  std::thread reader_;  // the last: it uses all the others
};

std::shared_ptr<grpc::ChannelCredentials> credentials(const Config& config) {
  if (config.ca_file.empty()) {
    return grpc::InsecureChannelCredentials();
  }
  std::ifstream file(config.ca_file);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) {
    throw NoPlay("cannot read " + config.ca_file + " for TLS");
  }
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = text.str();
  return grpc::SslCredentials(options);
}

std::shared_ptr<grpc::Channel> dial(const std::string& address,
                                    const std::shared_ptr<grpc::ChannelCredentials>& security) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestMessage);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  // A new channel must not wait out the pause that gRPC keeps for an address after a failure: we keep our own.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, security, arguments);
}

grpc::Status learn(pb::RefereeService::Stub& referee, Learner& learner, Stop& stop) {
  grpc::ClientContext context;
  const Stop::Guard guard(stop, context);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::duration_cast<std::chrono::seconds>(kStrangerPatience));
  pb::DescribeRequest request;
  request.set_components(true);
  pb::DescribeResponse games;
  grpc::Status status = referee.Describe(&context, request, &games);
  if (status.ok()) {
    learner.learn(games);
  }
  return status;
}

// Opens one stream and plays on it to its end; returns how it ended.
grpc::Status play_stream(const Config& config, const std::string& address,
                         const std::shared_ptr<grpc::ChannelCredentials>& security, Bot& bot, Session& session,
                         Stop& stop) {
  pb::PlayRequest hello = session.hello();
  const auto referee = pb::RefereeService::NewStub(dial(address, security));
  if (auto* learner = dynamic_cast<Learner*>(&bot)) {
    if (grpc::Status status = learn(*referee, *learner, stop); !status.ok()) {
      return status;
    }
  }
  grpc::ClientContext context;
  if (!config.token.empty()) {
    context.AddMetadata("authorization", "Bearer " + config.token);
  }
  const Stop::Guard guard(stop, context);
  Stream stream(*referee, context);
  stream.send(hello);
  while (!session.closing()) {
    // A referee that lets us in but says nothing is as good as none.
    const auto message = stream.receive(session.welcomed() ? std::nullopt : std::optional(kStrangerPatience));
    if (!message) {
      break;
    }
    session.receive(*message, [&stream](const pb::PlayRequest& request) { stream.send(request); });
  }
  return stream.ended().value_or(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "no welcome"));
}

bool is_final(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNIMPLEMENTED:
    case grpc::StatusCode::INVALID_ARGUMENT:
      return true;
    default:
      return false;
  }
}

// Plays on one stream after the other.
void play(const Config& config, Bot& bot, Session& session, Stop& stop) {
  const auto security = credentials(config);
  Redial redial(config.address, Clock::now());
  std::string reported;
  while (true) {
    const std::string address = redial.address();
    const auto opened = Clock::now();
    const grpc::Status ended = play_stream(config, address, security, bot, session, stop);
    if (stop.requested()) {
      return;
    }
    const auto& closing = session.closing();
    const std::string reason = closing ? closing->message : ended.error_message();
    if (closing && closing->next == Next::kLeave) {
      report(reason);
      return;
    }
    if (closing ? closing->next == Next::kGiveUp : is_final(ended)) {
      throw NoPlay("no play at " + address + ": " + reason);
    }
    const auto wait = redial.next(opened, Clock::now(), session.welcomed(), closing);
    if (!wait) {
      throw NoPlay("no referee answers at " + address + ": " + reason + redial.hint(!config.ca_file.empty()));
    }
    const std::string line = "connection to " + address + ": " + reason + "; trying again";
    if (session.welcomed() || line != reported) {
      report(line);
      reported = line;
    }
    stop.pause(*wait);
    if (stop.requested()) {
      return;
    }
  }
}

}  // namespace

void run(const Config& config, Bot& bot, Stop& stop) {
  ResumeFile memory(config);
  Session session(config, bot, memory);
  play(config, bot, session, stop);
  if (session.idle()) {
    memory.forget();
  }
}

}  // namespace kumite

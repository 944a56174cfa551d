// The wish to end: by a signal or by the program itself. Whoever waits, waits here; calls that run are cancelled.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace kumite {

class Stop {
 public:
  // Ends whatever waits or runs, now and later.
  void request();

  bool requested() const;

  // Waits so long, or until the end is wished for.
  void pause(std::chrono::duration<double> time);

  // While it lives, the wish to end cancels a call.
  class Guard {
   public:
    Guard(Stop& stop, grpc::ClientContext& call);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Stop& stop_;
  };

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool requested_ = false;
  grpc::ClientContext* call_ = nullptr;
};

}  // namespace kumite

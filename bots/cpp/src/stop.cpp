#include "stop.hpp"

namespace kumite {

void Stop::request() {
  const std::lock_guard lock(mutex_);
  requested_ = true;
  if (call_ != nullptr) {
    call_->TryCancel();
  }
  changed_.notify_all();
}

bool Stop::requested() const {
  const std::lock_guard lock(mutex_);
  return requested_;
}

void Stop::pause(std::chrono::duration<double> time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return requested_; });
}

Stop::Guard::Guard(Stop& stop, grpc::ClientContext& call) : stop_(stop) {
  const std::lock_guard lock(stop_.mutex_);
  stop_.call_ = &call;
  if (stop_.requested_) {
    call.TryCancel();
  }
}

Stop::Guard::~Guard() {
  const std::lock_guard lock(stop_.mutex_);
  stop_.call_ = nullptr;
}

}  // namespace kumite

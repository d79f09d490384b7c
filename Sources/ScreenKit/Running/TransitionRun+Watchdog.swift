extension TransitionRun {
  /// Seconds that a completion may be late before it is called for.
  static let patience = 1.0
  /// Seconds that a hand may hold a transition without a word, from its beginning.
  static let handPatience = 10.0

  /// Sees to it that it ends, whatever its animator and its hand do: input must not be lost for good.
  ///
  /// An animator has the time that it said, one that was let go the time that is left; what was carried over from another
  /// motion may last longer.
  func watch() {
    watchdog?.cancel()
    watchdog = nil
    guard phase == .running, let stage else { return }
    let now = stage.timeline.now
    if isInteractive {
      guard !wasDriven else { return }
      let seconds = TransitionRun.handPatience
      watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in self?.handIsLate(after: seconds)
      }
      return
    }
    let ends = carried.compactMap(\.eventTime) + [group?.endsItself].compactMap { $0 }
    let seconds = max(duration, (ends.max() ?? now) - now) + TransitionRun.patience
    watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in
      self?.completionIsLate(after: seconds)
    }
  }

  /// Notes that the interaction controller has called, and so may take as long as it likes.
  func driven() {
    guard !wasDriven else { return }
    wasDriven = true
    watch()
  }

  private func completionIsLate(after seconds: Double) {
    guard phase == .running else { return }
    let issue: ScreenIssue =
      group?.isWaiting == true
      ? .ranTooLong(transition: handle.label, said: duration, after: seconds)
      : .neverCompleted(transition: handle.label, after: seconds)
    issue.report(on: stage)
    finishNow(cancelled: transitionWasCancelled)
  }

  private func handIsLate(after seconds: Double) {
    guard phase == .running, isInteractive else { return }
    ScreenIssue.neverDriven(transition: handle.label, after: seconds).report(on: stage)
    if let hand = interaction as? PercentDrivenInteractiveTransition {
      hand.finish()
    } else {
      letGo(cancelled: false, velocity: 0)
    }
  }
}

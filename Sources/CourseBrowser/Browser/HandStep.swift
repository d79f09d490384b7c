internal import LearningModel
internal import Motion
internal import NavigationService
internal import ScreenKit

/// A step that a hand makes: computed when the hand begins, performed when it lets go.
@MainActor final class HandStep {
  /// Where it stands.
  enum State {
    /// The hand drives.
    case held
    /// It let go, and the step is performed; the page it leads to is on its way.
    case arriving
    /// It let go, or was interrupted: nothing happened, and the page springs back.
    case returning
  }

  let request: NavigationRequest
  /// What the service said that the request would do.
  let prediction: Step
  let drive = PercentDrivenInteractiveTransition()
  fileprivate(set) var state = State.held
  /// The page that it leads to, and the way there.
  fileprivate(set) var page: PageScreen?
  fileprivate(set) var transition: Transition?

  /// The page that commands are for, once it is certain that it comes.
  var arrivingPage: PageScreen? { state == .arriving ? page : nil }

  init(_ request: NavigationRequest, prediction: Step) {
    self.request = request
    self.prediction = prediction
    // A page that springs back is not slower than one that goes on.
    drive.completionCurve = .easeOut
  }
}

extension Browser {
  /// How much of its speed, in seconds, a hand that lets go still has before it.
  static let handMomentum = 0.2
  /// The part of the way from which on a step is finished.
  static let handThreshold = 0.4

  /// Takes a step into a hand: it is shown at its beginning, and nothing is written.
  ///
  /// - Returns: Whether there is a step to take.
  func takeInHand(_ request: NavigationRequest) -> Bool {
    guard overlay == nil, tabs.selectedIndex == 0, motion != .none else { return false }
    interruptHand()
    var isTaken = false
    trying {
      let step = try navigation.predict(request)
      guard case .predicted = step.outcome else {
        if let message = step.message { notify(message) }
        return
      }
      let hand = HandStep(request, prediction: step)
      transitions.hand = hand.drive
      defer { transitions.hand = nil }
      hand.transition = try show(step, animated: true)
      // A page that was not seen yet is there at once; there is nothing to hold.
      guard let transition = hand.transition, transition.isRunning else { return }
      hand.page = transition.to as? PageScreen
      self.hand = hand
      isTaken = true
      transition.whenEnded { [weak self, weak hand] _ in
        guard let self, let hand, self.hand === hand else { return }
        self.hand = nil
        showFooter()
      }
    }
    return isTaken
  }

  /// Shows how far the hand is, 0…1.
  func moveHand(to fraction: Double) {
    guard let hand, hand.state == .held else { return }
    hand.drive.update(fraction)
  }

  /// The hand lets go: by how far it is and how fast it was, the step is performed or taken back.
  ///
  /// - Parameter velocity: Of the hand, in whole ways a second, negative on the way back.
  func letGoOfHand(velocity: Double = 0) {
    guard let hand, hand.state == .held else { return }
    guard hand.drive.percentComplete + velocity * Self.handMomentum >= Self.handThreshold else {
      return takeBack(hand, velocity: velocity)
    }
    var performed: Step?
    trying {
      // Where the reader was is kept before the step leaves it.
      keepPosition()
      performed = try navigation.perform(hand.request, cause: .mouse, animated: true, waitingAtMost: 500)
    }
    guard let performed, performed.isPerformed, performed.to.place == hand.prediction.to.place else {
      takeBack(hand, velocity: 0)
      // Somebody else has changed the course meanwhile: the way leads elsewhere now.
      if let performed, performed.isPerformed { trying { try show(performed, animated: true) } }
      if let message = performed?.message { notify(message) }
      return
    }
    hand.state = .arriving
    hand.drive.finish(velocity: max(0, velocity))
    if let message = performed.message { notify(message) }
  }

  /// Something else happens while a hand holds a step: the step is taken back at once, and nothing was written.
  func interruptHand() {
    guard let hand, hand.state == .held else { return }
    hand.state = .returning
    hand.transition?.cancel()
    hand.transition?.skip()
  }

  private func takeBack(_ hand: HandStep, velocity: Double) {
    hand.state = .returning
    hand.drive.cancel(velocity: min(0, velocity))
  }
}

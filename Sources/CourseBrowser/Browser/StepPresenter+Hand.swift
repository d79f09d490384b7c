import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension StepPresenter: HandledSteps {
  var isInView: Bool { overlay == nil && tabs.selectedIndex == 0 }
  var isMoving: Bool { flight != nil }
  var isTabMoving: Bool { tabFlight?.isRunning == true }

  /// How much of its speed, in seconds, a hand that lets go still has before it.
  static let handMomentum = 0.2
  /// Columns of a way that a hand's speed is measured by at most: in a wider terminal nobody flicks any quicker.
  static let widestFlick = 80.0
  /// Seconds in which a page comes to where a wheel has turned it: quick enough to follow each finger, and slow enough
  /// that its steps are not seen.
  static let wheelGlide = 0.14
  /// The part of the way from which on a step is finished.
  static let handThreshold = 0.4

  /// Takes a step into a hand: it is shown at its beginning, and no step is written.
  ///
  /// - Returns: Whether there is a step to take.
  func takeInHand(_ request: NavigationRequest) -> Bool {
    // A tab that still comes shows a step at once: there would be nothing to hold, and nothing written.
    guard overlay == nil, tabs.selectedIndex == 0, tabFlight?.isRunning != true, motion != .none else { return false }
    interruptHand()
    // What is shown of the page that is left is what will stay.
    recorder.keepPosition()
    var isTaken = false
    trying {
      let step = try navigation.predict(request)
      guard case .predicted = step.outcome else {
        if let message = step.message { notify(message) }
        return
      }
      let drive = PercentDrivenInteractiveTransition()
      // A page that springs back is not slower than one that opens.
      drive.completionCurve = .easeOut
      transitions.hand = drive
      defer { transitions.hand = nil }
      try show(step, animated: true)
      // A page that was not seen yet is there at once; there is nothing to hold.
      guard let flight, flight.step == step else { return }
      take(HandStep(flight, request: request))
      isTaken = true
    }
    return isTaken
  }

  /// Catches the step whose transition runs, wherever it is.
  ///
  /// - Parameter isSideways: Whether the hand wants one that goes to a neighbour, or one that goes up or down.
  /// - Returns: Which way of the hand takes it on: 1 to the right, -1 to the left; `nil` where there is none to catch.
  func catchStep(sideways isSideways: Bool) -> Double? {
    guard overlay == nil, let flight, flight.transition.isRunning, let direction = flight.direction else { return nil }
    guard isSideways == (direction == .left || direction == .right) else { return nil }
    flight.transition.pause()
    if let hand, hand.flight === flight {
      hand.isHeld = true
      hand.start = flight.transition.fractionComplete
    } else {
      take(HandStep(flight, request: nil))
    }
    return direction == .up || direction == .left ? 1 : -1
  }

  private func take(_ hand: HandStep) {
    self.hand = hand
    hand.flight.transition.whenEnded { [weak self, weak hand] _ in
      guard let self, let hand, self.hand === hand else { return }
      self.hand = nil
      readAgain()
    }
  }

  /// Shows how far the hand has moved the step from where it took it, in parts of the whole way.
  ///
  /// - Parameter isGliding: Whether the hand is heard of in steps, and what is seen goes after them.
  /// - Returns: How far the hand is beyond the step's beginning, negative, or beyond its end; 0 where it is between them.
  @discardableResult
  func moveHand(by distance: Double, gliding isGliding: Bool) -> Double {
    guard let hand, hand.isHeld else { return 0 }
    let wanted = hand.start + distance
    let fraction = max(0, min(1, wanted))
    if isGliding {
      hand.flight.transition.glide(to: fraction, within: Self.wheelGlide)
    } else {
      hand.flight.transition.fractionComplete = fraction
    }
    return wanted - fraction
  }

  /// The hand has moved a step to one of its ends, and moves beyond: the step is over, done or not done.
  ///
  /// - Returns: Whether it is.
  func passHand(beyondEnd isDone: Bool) -> Bool {
    guard let hand, hand.isHeld else { return false }
    guard isDone == hand.isPerformed || (isDone ? perform(hand) : undo(hand)), self.hand === hand else {
      interruptHand()
      return false
    }
    hand.isHeld = false
    go(hand, on: isDone, velocity: 0)
    hand.flight.transition.skip()
    return self.hand == nil
  }

  /// The hand lets go: by how far the step is and how fast the hand was, it is done or not done.
  ///
  /// - Parameter velocity: Of the hand, in whole ways a second, negative on the way back.
  func letGoOfHand(velocity: Double) {
    guard let hand, hand.isHeld else { return }
    let flick = velocity * max(1, Double(size.columns) / Self.widestFlick)
    let isWanted = hand.flight.transition.fractionComplete + flick * Self.handMomentum >= Self.handThreshold
    hand.isHeld = false
    if isWanted != hand.isPerformed, isWanted ? !perform(hand) : !undo(hand) {
      // It could not be written: what is seen goes where the log says that the learner is.
      go(hand, on: hand.isPerformed, velocity: 0)
    } else {
      go(hand, on: isWanted, velocity: velocity)
    }
  }

  /// Something else happens while a hand holds a step: one that was performed completes, another goes back, and nothing
  /// is written.
  func interruptHand() {
    gestures.letGoOfPage()
    guard let hand, hand.isHeld else { return }
    hand.isHeld = false
    go(hand, on: hand.isPerformed, velocity: 0)
  }

  /// A spring takes the page from where the hand has left it, with the hand's speed, and from rest where it stood still:
  /// the little that is left of a way takes its time too.
  private func go(_ hand: HandStep, on: Bool, velocity: Double) {
    if on {
      hand.flight.transition.finish(velocity: max(.leastNonzeroMagnitude, velocity))
    } else {
      hand.flight.transition.cancel(velocity: min(-.leastNonzeroMagnitude, velocity))
    }
  }

  /// Performs the step of a hand.
  ///
  /// - Returns: Whether it was performed, and led where the hand saw it lead.
  private func perform(_ hand: HandStep) -> Bool {
    guard let request = hand.request else { return false }
    var performed: Step?
    trying {
      // Where the reader was is kept before the step leaves it.
      recorder.keepPosition()
      performed = try navigation.perform(request, cause: .mouse, animated: true, waitingAtMost: 500)
    }
    guard let performed else { return false }
    if let message = performed.message { notify(message) }
    guard performed.isPerformed else { return false }
    guard performed.to.place == hand.flight.step.to.place else {
      // The course was changed meanwhile: the way leads elsewhere now.
      go(hand, on: false, velocity: 0)
      trying { try show(performed, animated: true) }
      return false
    }
    hand.isPerformed = true
    return true
  }

  /// Takes a step back that was performed. Both logs are appended to and never changed, so it is one more step: the way
  /// back along the learner's own visits, which counts as no visit.
  ///
  /// - Returns: Whether it was written.
  private func undo(_ hand: HandStep) -> Bool {
    var undone: Step?
    trying {
      let request: NavigationRequest = hand.flight.step.operation == .back ? .forward : .back
      undone = try navigation.perform(request, cause: .mouse, animated: true, waitingAtMost: 500)
      for page in hand.flight.before { page.show(try model(of: page)) }
    }
    guard let undone, undone.isPerformed else { return false }
    hand.isPerformed = false
    if undone.to.place != hand.flight.before.last?.place {
      // What was there before is gone: the way back leads elsewhere now.
      trying { try show(undone, animated: true) }
    }
    return true
  }
}

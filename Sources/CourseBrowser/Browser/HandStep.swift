import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// A step whose transition runs, and the pages before and after it.
@MainActor final class Flight {
  let step: Step
  let transition: Transition
  let before: [PageScreen]
  let after: [PageScreen]

  init(_ step: Step, _ transition: Transition, before: [PageScreen], after: [PageScreen]) {
    self.step = step
    self.transition = transition
    self.before = before
    self.after = after
  }

  /// The way it goes; `nil` where nothing moves.
  var direction: TransitionDirection? { step.transition?.choice.direction }
}

/// A step in a hand: either one that the hand makes, computed when it begins and performed when it lets go; or one that
/// was performed already, caught in its transition.
@MainActor final class HandStep {
  let flight: Flight
  /// What performs it; `nil` where that is done, and the hand has only caught it.
  let request: NavigationRequest?
  /// Whether the log says that it was done. A step that was taken back is two steps there, the second undoing the first.
  var isPerformed: Bool
  /// Whether the hand drives. It does not once it has let go.
  var isHeld = true
  /// How far the step was when the hand took it, 0…1.
  var start: Double

  init(_ flight: Flight, request: NavigationRequest?) {
    self.flight = flight
    self.request = request
    isPerformed = request == nil
    start = flight.transition.fractionComplete
  }

  /// The pages that there are as far as the log is concerned; what is seen may still move there.
  var pages: [PageScreen] { isPerformed ? flight.after : flight.before }
}

import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Controls the interactive transitions between pages. Gesture recognisers call these methods.
@MainActor protocol HandledSteps: AnyObject {
  var stage: Stage { get }
  var size: CellSize { get }
  var motion: MotionPreference { get }
  /// The page of the learner's current place.
  var page: PageScreen? { get }
  /// The request that opens the parent page.
  var wayUp: NavigationRequest { get }
  /// Whether the pages are visible and not covered by an overlay.
  var isInView: Bool { get }
  /// Whether a transition between pages is running. For changes of tabs, see `isTabMoving`.
  var isMoving: Bool { get }
  var isTabMoving: Bool { get }

  /// Begins an interactive transition. The navigation is computed and the transition is shown at progress 0. Nothing is
  /// recorded yet.
  ///
  /// - Returns: `false` if there is no place to navigate to.
  func takeInHand(_ request: NavigationRequest) -> Bool
  /// Makes the running transition interactive at its current progress.
  ///
  /// - Returns: The direction of the gesture that advances the transition: 1 to the right, -1 to the left. `nil` if no
  ///   transition can be taken over.
  func catchStep(sideways isSideways: Bool) -> Double?
  /// Updates the progress of the interactive transition.
  ///
  /// The distance is measured from where the gesture began, in fractions of the whole transition.
  ///
  /// - Returns: How far the gesture is before 0 (negative) or beyond 1, or 0 if it is between them.
  @discardableResult func moveHand(by distance: Double, gliding isGliding: Bool) -> Double
  /// Ends the interactive transition because the gesture has moved past one of its ends.
  ///
  /// - Returns: `true` if the transition has ended.
  func passHand(beyondEnd isDone: Bool) -> Bool
  /// Ends the gesture. The transition then completes or is cancelled.
  ///
  /// - Parameter velocity: The velocity in transitions per second; at 1, a full transition takes one second.
  func letGoOfHand(velocity: Double)
  /// Ends the gesture because another event needs the page.
  func interruptHand()
}

/// Recognises gestures that navigate interactively: a drag from the left edge or a horizontal scroll opens the parent
/// page, a horizontal drag on an activity opens its neighbour. If a transition is already running, a gesture takes it
/// over.
@MainActor final class HandGestures {
  /// Seconds without scroll events after which a scroll gesture ends. Terminals do not report the end of a scroll
  /// gesture.
  static let wheelSilence = 0.3
  /// Duration of the spring that returns a pulled page, in seconds.
  static let springBack = 0.3
  /// The progress per scroll event, as a fraction of the transition.
  static let wheelStep = 0.06

  private unowned let steps: any HandledSteps
  /// The direction that advances the transition: 1 to the right, -1 to the left. `nil` without an interactive
  /// transition.
  private var direction: Double?
  /// The horizontal translation of the drag at which the transition began, in columns from where the button was
  /// pressed.
  private var origin = 0.0
  /// Whether a drag is in progress. While it is, scroll events are ignored.
  private var isDragging = false
  /// Whether this drag has already requested the parent page.
  private var hasAsked = false
  /// The page that the drag pulls because it has no neighbour on that side, the direction, and the translation at which
  /// the pull began.
  private weak var giving: PageScreen?
  private var side = 0.0
  private var pulled = 0.0
  private var wheel = 0.0
  private var wheelDirection = 1.0
  private var wheelEnd: ScheduledCall?

  init(steps: any HandledSteps) {
    self.steps = steps
  }

  private var width: Double { Double(max(1, steps.size.columns)) }

  /// Returns the recogniser at the left edge. Only a drag to the right opens the parent page.
  func edge() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 1) { [weak self] pan in
      guard let self else { return }
      switch pan.state {
      case .began:
        begin(pan, sideways: false)
        fallthrough
      case .changed:
        if direction == nil, !hasAsked, !steps.isTabMoving, pan.translation.x > 0 {
          hasAsked = true
          if steps.takeInHand(steps.wayUp) { direction = 1 }
        }
        if let direction { steps.moveHand(by: direction * (pan.translation.x - origin) / width, gliding: false) }
      case .ended, .possible, .cancelled: end(pan)
      }
    }
  }

  /// Returns the recogniser for horizontal drags on activities. If the drag reverses its direction, it continues past
  /// the original page to the neighbour on the other side.
  func sideways() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 3) { [weak self] pan in
      guard let self else { return }
      switch pan.state {
      case .began:
        begin(pan, sideways: true)
        // Only a drag whose vertical component is less than half of the horizontal one is a swipe.
        if direction == nil, steps.page is ActivityScreen, abs(pan.translation.x) > 2 * abs(pan.translation.y) {
          takeNeighbour(towards: pan.translation.x)
        }
        fallthrough
      case .changed: slide(to: pan.translation.x)
      case .ended, .possible, .cancelled: end(pan)
      }
    }
  }

  /// Takes over a running transition at its current progress. If none is running, a new transition will have progress 0
  /// at the position where the button was pressed.
  private func begin(_ pan: PanRecogniser, sideways: Bool) {
    wheelEnd?.cancel()
    (isDragging, hasAsked) = (true, false)
    direction = steps.catchStep(sideways: sideways)
    origin = direction == nil ? 0 : pan.translation.x
  }

  private func end(_ pan: PanRecogniser) {
    isDragging = false
    let isEnd = pan.state == .ended
    if !isEnd {
      steps.interruptHand()
    } else if let direction {
      steps.letGoOfHand(velocity: direction * pan.velocity.x / width)
    }
    direction = nil
    endPull(velocity: isEnd ? pan.velocity.x : 0)
  }

  // MARK: - Neighbours

  /// Begins the transition to a neighbour. If there is none, the page is pulled instead.
  private func takeNeighbour(towards side: Double) {
    if steps.takeInHand(side < 0 ? .next : .previous) {
      direction = side < 0 ? -1 : 1
    } else {
      giveWay(towards: side)
    }
  }

  private func slide(to place: Double) {
    if let page = giving, (pulled + place - origin) * side < 0 {
      // The page is back in its original position, and the drag now moves to the other side.
      (giving, origin) = (nil, origin - pulled)
      withoutAnimation { page.sheet.transform.translation.x = 0 }
      takeNeighbour(towards: place - origin)
    }
    pull(by: place - origin)
    guard let direction else { return }
    let beyond = steps.moveHand(by: direction * (place - origin) / width, gliding: false)
    guard beyond != 0 else { return }
    // The gesture has reached the other page, and continues from there.
    let passed = place - direction * beyond * width
    guard steps.passHand(beyondEnd: beyond > 0) else { return }
    (self.direction, origin) = (nil, passed)
    guard steps.page is ActivityScreen else { return }
    takeNeighbour(towards: place - passed)
    if let direction = self.direction { steps.moveHand(by: direction * (place - origin) / width, gliding: false) }
    pull(by: place - origin)
  }

  // MARK: - Pulling a page without a neighbour

  private func rubberBand(of page: PageScreen) -> RubberBand { RubberBand(dimension: page.sheet.bounds.width) }

  /// Begins to pull a page that has no neighbour, with increasing resistance. If the page is still springing back, it
  /// is held at its current offset.
  private func giveWay(towards side: Double) {
    guard let page = steps.page, steps.motion == .full, steps.isInView,
      !steps.isMoving
    else { return }
    giving = page
    pulled = rubberBand(of: page).pull(for: page.sheet.presentation.transform.translation.x)
    self.side = side
    page.sheet.removeAllAnimations()
  }

  private func pull(by distance: Double) {
    guard let giving else { return }
    // Another transition has begun and moves the page.
    guard !steps.isMoving, steps.page === giving else { return endPull(velocity: 0) }
    withoutAnimation {
      giving.sheet.transform.translation.x = rubberBand(of: giving).offset(for: pulled + distance)
    }
  }

  private func endPull(velocity: Double) {
    guard let page = giving else { return }
    giving = nil
    let offset = page.sheet.transform.translation.x
    guard !steps.isMoving, offset != 0 else { return }
    // A rubber band moves the page by only a part of the drag's distance, so the spring begins with the same part of
    // the drag's velocity.
    let speed = velocity * RubberBand(dimension: page.sheet.bounds.width).constant / offset
    let curve = TimingCurve.spring(duration: Self.springBack, dampingRatio: 1, initialVelocity: -speed)
    animate(duration: Self.springBack, curve: curve) { page.sheet.transform.translation.x = 0 }
  }

  /// Lets a pulled page spring back. A key or navigation that follows starts from the page's current offset.
  func letGoOfPage() { endPull(velocity: 0) }

  /// Handles a horizontal scroll by a number of columns, positive to the right.
  func turnWheel(_ columns: Int) {
    guard !isDragging else { return }
    if wheelEnd?.isPending != true {
      if let way = steps.catchStep(sideways: false) {
        wheelDirection = way
      } else {
        // Only a scroll to the left begins a transition, because the parent page is to the left.
        guard columns < 0, steps.takeInHand(steps.wayUp) else { return }
        wheelDirection = 1
      }
      wheel = 0
    }
    wheel -= wheelDirection * Double(columns) * Self.wheelStep
    // The part of the scroll beyond an end is discarded, so that the learner need not scroll it back.
    wheel -= steps.moveHand(by: wheel, gliding: true)
    wheelEnd?.cancel()
    wheelEnd = steps.stage.schedule(after: Self.wheelSilence) { [weak self] in self?.steps.letGoOfHand(velocity: 0) }
  }
}

/// A step whose transition is running, with the pages before and after it.
@MainActor final class RunningStep {
  let step: NavigationStep
  let transition: Transition
  let before: [PageScreen]
  let after: [PageScreen]

  init(_ step: NavigationStep, _ transition: Transition, before: [PageScreen], after: [PageScreen]) {
    self.step = step
    self.transition = transition
    self.before = before
    self.after = after
  }

  /// The direction of the transition, or `nil` if nothing moves.
  var direction: TransitionDirection? { step.transition?.choice.direction }
}

/// An interactive transition.
///
/// Either its step is computed when the gesture begins and performed when the gesture ends, or its step was performed
/// before and the gesture took over the running transition.
@MainActor final class HandStep {
  let flight: RunningStep
  /// The request to perform when the gesture ends, or `nil` if the step was performed before.
  let request: NavigationRequest?
  /// Whether the step is recorded. Undoing a recorded step adds a second step to the log.
  var isPerformed: Bool
  /// Whether the gesture controls the progress. `false` after the gesture has ended.
  var isHeld = true
  /// The progress when the gesture began, 0…1.
  var start: Double

  init(_ flight: RunningStep, request: NavigationRequest?) {
    self.flight = flight
    self.request = request
    isPerformed = request == nil
    start = flight.transition.fractionComplete
  }

  /// The pages according to the log. The visible pages can differ while the transition runs.
  var pages: [PageScreen] { isPerformed ? flight.after : flight.before }
}

import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Controls the interactive transitions between pages. Gesture recognisers call these methods.
@MainActor protocol InteractiveNavigation: AnyObject {
  var stage: Stage { get }
  var size: CellSize { get }
  var motion: MotionPreference { get }
  /// The page of the learner's current place.
  var page: PageScreen? { get }
  /// The request that opens the parent page.
  var parentRequest: NavigationRequest { get }
  /// Whether the pages are visible and not covered by an overlay.
  var isInView: Bool { get }
  /// Whether a transition between pages is running. For changes of tabs, see `isTabMoving`.
  var isMoving: Bool { get }
  var isTabMoving: Bool { get }

  /// Begins an interactive transition. The navigation is computed and the transition is shown at progress 0. Nothing is
  /// recorded yet.
  ///
  /// - Returns: `false` if there is no place to navigate to.
  func beginInteraction(_ request: NavigationRequest) -> Bool
  /// Makes the running transition interactive at its current progress.
  ///
  /// - Returns: The direction of the gesture that advances the transition: 1 to the right, -1 to the left. `nil` if no
  ///   transition can be taken over.
  func takeOverRunningTransition(sideways isSideways: Bool) -> Double?
  /// Updates the progress of the interactive transition.
  ///
  /// The distance is measured from where the gesture began, in fractions of the whole transition.
  ///
  /// - Returns: How far the gesture is before 0 (negative) or beyond 1, or 0 if it is between them.
  @discardableResult func updateInteraction(by distance: Double, gliding isGliding: Bool) -> Double
  /// Ends the interactive transition because the gesture has moved past the start or the end of the transition.
  ///
  /// - Returns: `true` if the transition has ended.
  func endInteraction(atEnd isDone: Bool) -> Bool
  /// Ends the gesture. The transition then completes or is cancelled.
  ///
  /// - Parameter velocity: The velocity in transitions per second; at 1, a full transition takes one second.
  func endGesture(velocity: Double)
  /// Ends the gesture because another event needs the page.
  func interruptGesture()
}

/// Recognises gestures that navigate interactively: a drag from the left edge or a horizontal scroll opens the parent
/// page, a horizontal drag on an activity opens its neighbour. If a transition is already running, a gesture takes it
/// over.
@MainActor final class InteractiveNavigationGestures {
  /// Seconds without scroll events after which a scroll gesture ends. Terminals do not report the end of a scroll
  /// gesture.
  static let scrollTimeout = 0.3
  /// Duration of the spring that returns a pulled page, in seconds.
  static let springBack = 0.3
  /// The progress per scroll event, as a fraction of the transition.
  static let wheelStep = 0.06

  private unowned let steps: any InteractiveNavigation
  /// The direction that advances the transition: 1 to the right, -1 to the left. `nil` without an interactive
  /// transition.
  private var direction: Double?
  /// The horizontal translation of the drag at which the transition began, in columns from where the button was
  /// pressed.
  private var origin = 0.0
  /// Whether a drag is in progress. While it is, scroll events are ignored.
  private var isDragging = false
  /// Whether this drag has already requested the parent page.
  private var hasRequestedStep = false
  /// The page that the drag pulls because the page has no neighbour in the direction of the drag, that direction, and
  /// the translation at which the pull began.
  private weak var pulledPage: PageScreen?
  private var pullDirection = 0.0
  private var pullTranslation = 0.0
  private var wheel = 0.0
  private var wheelDirection = 1.0
  private var wheelEnd: ScheduledCall?

  init(steps: any InteractiveNavigation) {
    self.steps = steps
  }

  private var width: Double { Double(max(1, steps.size.columns)) }

  /// Returns the recogniser at the left edge. Only a drag to the right opens the parent page.
  func edgePanRecogniser() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 1) { [weak self] pan in
      guard let self else { return }
      switch pan.state {
      case .began:
        begin(pan, sideways: false)
        fallthrough
      case .changed:
        if direction == nil, !hasRequestedStep, !steps.isTabMoving, pan.translation.x > 0 {
          hasRequestedStep = true
          if steps.beginInteraction(steps.parentRequest) { direction = 1 }
        }
        if let direction {
          steps.updateInteraction(by: direction * (pan.translation.x - origin) / width, gliding: false)
        }
      case .ended, .possible, .cancelled: end(pan)
      }
    }
  }

  /// Returns the recogniser for horizontal drags on activities. If the drag reverses its direction, it continues past
  /// the original page to the neighbour on the other side.
  func horizontalPanRecogniser() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 3) { [weak self] pan in
      guard let self else { return }
      switch pan.state {
      case .began:
        begin(pan, sideways: true)
        // Only a drag whose vertical component is less than half of the horizontal one is a swipe.
        if direction == nil, steps.page is ActivityScreen, abs(pan.translation.x) > 2 * abs(pan.translation.y) {
          beginSiblingStep(towards: pan.translation.x)
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
    (isDragging, hasRequestedStep) = (true, false)
    direction = steps.takeOverRunningTransition(sideways: sideways)
    origin = direction == nil ? 0 : pan.translation.x
  }

  private func end(_ pan: PanRecogniser) {
    isDragging = false
    let isEnd = pan.state == .ended
    if !isEnd {
      steps.interruptGesture()
    } else if let direction {
      steps.endGesture(velocity: direction * pan.velocity.x / width)
    }
    direction = nil
    endPull(velocity: isEnd ? pan.velocity.x : 0)
  }

  // MARK: - Neighbours

  /// Begins the transition to a neighbour. If there is none, the page is pulled instead.
  private func beginSiblingStep(towards side: Double) {
    if steps.beginInteraction(side < 0 ? .next : .previous) {
      direction = side < 0 ? -1 : 1
    } else {
      beginPull(towards: side)
    }
  }

  private func slide(to translation: Double) {
    if let page = pulledPage, (pullTranslation + translation - origin) * pullDirection < 0 {
      // The page is back in its original position, and the drag now moves to the other side.
      (pulledPage, origin) = (nil, origin - pullTranslation)
      withoutAnimation { page.sheet.transform.translation.x = 0 }
      beginSiblingStep(towards: translation - origin)
    }
    pull(by: translation - origin)
    guard let direction else { return }
    let excess = steps.updateInteraction(by: direction * (translation - origin) / width, gliding: false)
    guard excess != 0 else { return }
    // The gesture has reached the other page, and continues from there.
    let endTranslation = translation - direction * excess * width
    guard steps.endInteraction(atEnd: excess > 0) else { return }
    (self.direction, origin) = (nil, endTranslation)
    guard steps.page is ActivityScreen else { return }
    beginSiblingStep(towards: translation - endTranslation)
    if let direction = self.direction {
      steps.updateInteraction(by: direction * (translation - origin) / width, gliding: false)
    }
    pull(by: translation - origin)
  }

  // MARK: - Pulling a page without a neighbour

  private func rubberBand(of page: PageScreen) -> RubberBand { RubberBand(dimension: page.sheet.bounds.width) }

  /// Begins to pull a page that has no neighbour, with increasing resistance. If the page is still springing back, it
  /// is held at its current offset.
  private func beginPull(towards side: Double) {
    guard let page = steps.page, steps.motion == .full, steps.isInView,
      !steps.isMoving
    else { return }
    pulledPage = page
    pullTranslation = rubberBand(of: page).pull(for: page.sheet.presentation.transform.translation.x)
    self.pullDirection = side
    page.sheet.removeAllAnimations()
  }

  private func pull(by distance: Double) {
    guard let pulledPage else { return }
    // Another transition has begun and moves the page.
    guard !steps.isMoving, steps.page === pulledPage else { return endPull(velocity: 0) }
    withoutAnimation {
      pulledPage.sheet.transform.translation.x = rubberBand(of: pulledPage).offset(for: pullTranslation + distance)
    }
  }

  private func endPull(velocity: Double) {
    guard let page = pulledPage else { return }
    pulledPage = nil
    let offset = page.sheet.transform.translation.x
    guard !steps.isMoving, offset != 0 else { return }
    // A rubber band moves the page by only a part of the drag's distance, so the spring begins with the same part of
    // the drag's velocity.
    let speed = velocity * RubberBand(dimension: page.sheet.bounds.width).constant / offset
    let curve = TimingCurve.spring(duration: Self.springBack, dampingRatio: 1, initialVelocity: -speed)
    animate(duration: Self.springBack, curve: curve) { page.sheet.transform.translation.x = 0 }
  }

  /// Lets a pulled page spring back. A key or navigation that follows starts from the page's current offset.
  func releasePulledPage() { endPull(velocity: 0) }

  /// Handles a horizontal scroll by a number of columns, positive to the right.
  func scrollSideways(_ columns: Int) {
    guard !isDragging else { return }
    if wheelEnd?.isPending != true {
      if let direction = steps.takeOverRunningTransition(sideways: false) {
        wheelDirection = direction
      } else {
        // Only a scroll to the left begins a transition, because the parent page is to the left.
        guard columns < 0, steps.beginInteraction(steps.parentRequest) else { return }
        wheelDirection = 1
      }
      wheel = 0
    }
    wheel -= wheelDirection * Double(columns) * Self.wheelStep
    // The part of the scroll beyond an end is discarded, so that the learner need not scroll it back.
    wheel -= steps.updateInteraction(by: wheel, gliding: true)
    wheelEnd?.cancel()
    wheelEnd = steps.stage.schedule(after: Self.scrollTimeout) { [weak self] in self?.steps.endGesture(velocity: 0) }
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
@MainActor final class InteractiveStep {
  let runningStep: RunningStep
  /// The request to perform when the gesture ends, or `nil` if the step was performed before.
  let request: NavigationRequest?
  /// Whether the step is recorded. Undoing a recorded step adds a second step to the log.
  var isPerformed: Bool
  /// Whether the gesture controls the progress. `false` after the gesture has ended.
  var isGestureActive = true
  /// The progress when the gesture began, 0…1.
  var start: Double

  init(_ runningStep: RunningStep, request: NavigationRequest?) {
    self.runningStep = runningStep
    self.request = request
    isPerformed = request == nil
    start = runningStep.transition.fractionComplete
  }

  /// The pages according to the log. The visible pages can differ while the transition runs.
  var pages: [PageScreen] { isPerformed ? runningStep.after : runningStep.before }
}

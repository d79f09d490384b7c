import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The steps that a hand can make, hold and let go.
@MainActor protocol HandledSteps: AnyObject {
  var stage: Stage { get }
  var size: CellSize { get }
  var motion: MotionPreference { get }
  /// The page where the learner is.
  var page: PageScreen? { get }
  /// What leads up from there.
  var wayUp: NavigationRequest { get }
  /// Whether the pages are seen, and nothing lies on them.
  var isInView: Bool { get }
  /// Whether the transition of a step runs, and whether one of tabs does.
  var isMoving: Bool { get }
  var isTabMoving: Bool { get }

  /// Takes a step into a hand: it is shown at its beginning, and no step is written.
  ///
  /// - Returns: Whether there is a step to take.
  func takeInHand(_ request: NavigationRequest) -> Bool
  /// Catches the step whose transition runs, wherever it is.
  ///
  /// - Returns: Which way of the hand takes it on: 1 to the right, -1 to the left; `nil` where there is none to catch.
  func catchStep(sideways isSideways: Bool) -> Double?
  /// Shows how far the hand has moved the step from where it took it, in parts of the whole way.
  ///
  /// - Returns: How far the hand is beyond the step's ends; 0 where it is between them.
  @discardableResult func moveHand(by distance: Double, gliding isGliding: Bool) -> Double
  /// The hand has moved a step to one of its ends, and moves beyond.
  ///
  /// - Returns: Whether the step is over.
  func passHand(beyondEnd isDone: Bool) -> Bool
  /// The hand lets go, with a velocity in whole ways a second.
  func letGoOfHand(velocity: Double)
  /// Something else happens while a hand holds a step.
  func interruptHand()
}

/// Knows the movements of a hand that mean a step: from the left edge, or with the wheel sideways, up to the page above;
/// sideways over an activity, to the one beside it. A step whose transition runs already is caught where it is.
@MainActor final class HandGestures {
  /// Seconds after which a wheel that says nothing was let go: a wheel tells no end.
  static let wheelSilence = 0.3
  /// Seconds in which a page that has given way springs back.
  static let springBack = 0.3
  /// The part of the way that one step of the wheel makes.
  static let wheelStep = 0.06

  private unowned let steps: any HandledSteps
  /// Which way the hand takes its step on: 1 to the right, -1 to the left; `nil` where it has none.
  private var direction: Double?
  /// Where the mouse was when the hand took the step, from where the button went down.
  private var origin = 0.0
  /// Whether a button is down and has moved far enough; the wheel says nothing then.
  private var isDragging = false
  /// Whether this movement of the hand has asked for its step already.
  private var hasAsked = false
  /// The page that gives way to a hand where nothing lies beside it, to which side, and how far the hand had pulled when
  /// it took hold.
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

  /// The recogniser for the left edge: up is where there is more to the left, and nothing lies the other way.
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

  /// The recogniser for activities, which lie side by side: a hand that turns round goes through the page where it began
  /// to the one on the other side.
  func sideways() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 3) { [weak self] pan in
      guard let self else { return }
      switch pan.state {
      case .began:
        begin(pan, sideways: true)
        // Who moves as much up or down means something else.
        if direction == nil, steps.page is ActivityScreen, abs(pan.translation.x) > 2 * abs(pan.translation.y) {
          takeNeighbour(towards: pan.translation.x)
        }
        fallthrough
      case .changed: slide(to: pan.translation.x)
      case .ended, .possible, .cancelled: end(pan)
      }
    }
  }

  /// Catches the step that still moves. What is caught stays under the hand; what the hand begins is at its beginning
  /// where the button went down.
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

  // MARK: - Side by side

  /// Takes the step to the neighbour on one side; where there is none, the page gives way.
  private func takeNeighbour(towards side: Double) {
    if steps.takeInHand(side < 0 ? .next : .previous) {
      direction = side < 0 ? -1 : 1
    } else {
      giveWay(towards: side)
    }
  }

  private func slide(to place: Double) {
    if let page = giving, (pulled + place - origin) * side < 0 {
      // Back where it was, and on to the other side.
      (giving, origin) = (nil, origin - pulled)
      withoutAnimation { page.sheet.transform.translation.x = 0 }
      takeNeighbour(towards: place - origin)
    }
    pull(by: place - origin)
    guard let direction else { return }
    let beyond = steps.moveHand(by: direction * (place - origin) / width, gliding: false)
    guard beyond != 0 else { return }
    // The page that lies there now is the one that the hand has.
    let passed = place - direction * beyond * width
    guard steps.passHand(beyondEnd: beyond > 0) else { return }
    (self.direction, origin) = (nil, passed)
    guard steps.page is ActivityScreen else { return }
    takeNeighbour(towards: place - passed)
    if let direction = self.direction { steps.moveHand(by: direction * (place - origin) / width, gliding: false) }
    pull(by: place - origin)
  }

  // MARK: - Where nothing lies

  private func rubberBand(of page: PageScreen) -> RubberBand { RubberBand(dimension: page.sheet.bounds.width) }

  /// The first and the last of their kind give way to a hand, the less the farther it pulls; one that still springs back
  /// is held where it is.
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
    // Something else has begun meanwhile, and moves the page.
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
    // The band lets only a part of the hand's speed through; on the way back it is a spring.
    let speed = velocity * RubberBand(dimension: page.sheet.bounds.width).constant / offset
    let curve = TimingCurve.spring(duration: Self.springBack, dampingRatio: 1, initialVelocity: -speed)
    animate(duration: Self.springBack, curve: curve) { page.sheet.transform.translation.x = 0 }
  }

  /// A key or a step comes in between: the page springs back, and what comes starts from where it is.
  func letGoOfPage() { endPull(velocity: 0) }

  /// Answers a wheel that was turned sideways by some columns, to the right where positive.
  func turnWheel(_ columns: Int) {
    guard !isDragging else { return }
    if wheelEnd?.isWaiting != true {
      if let way = steps.catchStep(sideways: false) {
        wheelDirection = way
      } else {
        // Only to the left: what is left of a page is the page above it.
        guard columns < 0, steps.takeInHand(steps.wayUp) else { return }
        wheelDirection = 1
      }
      wheel = 0
    }
    wheel -= wheelDirection * Double(columns) * Self.wheelStep
    // What is turned beyond an end need not be turned back.
    wheel -= steps.moveHand(by: wheel, gliding: true)
    wheelEnd?.cancel()
    wheelEnd = steps.stage.schedule(after: Self.wheelSilence) { [weak self] in self?.steps.letGoOfHand(velocity: 0) }
  }
}

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

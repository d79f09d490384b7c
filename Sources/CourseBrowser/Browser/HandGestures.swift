internal import Motion
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Knows the movements of a hand that mean a step: from the left edge, or with the wheel sideways, up to the page above;
/// sideways over an activity, to the one beside it. A step that is on its way already is caught where it is.
@MainActor final class HandGestures {
  /// Seconds after which a wheel that says nothing was let go: a wheel tells no end.
  static let wheelSilence = 0.3
  /// Seconds in which a page that has given way springs back.
  static let springBack = 0.3
  /// The part of the way that one step of the wheel makes.
  static let wheelStep = 0.06

  unowned let browser: Browser
  /// Which way the hand goes on: 1 to the right, -1 to the left; `nil` where its movement means nothing.
  private var direction: Double?
  /// Where the mouse was when the hand took the step, from where the button went down.
  private var origin = 0.0
  /// The page that gives way to a hand where nothing lies beside it, and how far the hand had pulled when it took hold.
  private weak var giving: PageScreen?
  private var pulled = 0.0
  private var wheel = 0.0
  private var wheelDirection = 1.0
  private var wheelEnd: ScheduledCall?

  init(browser: Browser) {
    self.browser = browser
  }

  /// The recogniser for the left edge.
  func edge() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 1) { [weak self] pan in
      self?.follow(pan, sideways: false) { $0.translation.x > 0 ? (.pop, 1) : nil }
    }
  }

  /// The recogniser for activities.
  func sideways() -> PanRecogniser {
    PanRecogniser(axes: .horizontal, threshold: 3) { [weak self] pan in
      self?.follow(pan, sideways: true) { pan in
        // Who moves as much up or down means something else.
        guard self?.browser.page is ActivityScreen, abs(pan.translation.x) > 2 * abs(pan.translation.y) else {
          return nil
        }
        return pan.translation.x < 0 ? (.next, -1) : (.previous, 1)
      }
    }
  }

  private func follow(
    _ pan: PanRecogniser, sideways: Bool, _ meaning: (PanRecogniser) -> (NavigationRequest, Double)?
  ) {
    let width = Double(max(1, browser.size.columns))
    switch pan.state {
    case .began:
      direction = browser.catchStep(sideways: sideways)
      // What is caught stays under the hand; what the hand begins is at its beginning where the button went down.
      origin = direction == nil ? 0 : pan.translation.x
      if direction == nil, let (request, way) = meaning(pan) {
        if browser.takeInHand(request) { direction = way } else if sideways { giveWay() }
      }
      fallthrough
    case .changed:
      pull(by: pan.translation.x)
      guard let direction else { return }
      browser.moveHand(by: direction * (pan.translation.x - origin) / width)
    case .ended:
      if let direction { browser.letGoOfHand(velocity: direction * pan.velocity.x / width) }
      direction = nil
      endPull(velocity: pan.velocity.x)
    case .possible, .cancelled:
      browser.interruptHand()
      direction = nil
      endPull(velocity: 0)
    }
  }

  // MARK: - Where nothing lies

  private func rubberBand(of page: PageScreen) -> RubberBand { RubberBand(dimension: page.sheet.bounds.width) }

  /// The first and the last of their kind give way to a hand, the less the farther it pulls; one that still springs back
  /// is held where it is.
  private func giveWay() {
    guard let page = browser.page, browser.motion == .full, browser.overlay == nil, browser.tabs.selectedIndex == 0,
      browser.flight == nil
    else { return }
    giving = page
    pulled = rubberBand(of: page).pull(for: page.sheet.presentation.transform.translation.x)
    page.sheet.removeAllAnimations()
  }

  private func pull(by distance: Double) {
    guard let giving else { return }
    // Something else has begun meanwhile, and moves the page.
    guard browser.flight == nil, browser.page === giving else { return endPull(velocity: 0) }
    withoutAnimation {
      giving.sheet.transform.translation.x = rubberBand(of: giving).offset(for: pulled + distance)
    }
  }

  private func endPull(velocity: Double) {
    guard let page = giving else { return }
    giving = nil
    let offset = page.sheet.transform.translation.x
    guard browser.flight == nil, offset != 0 else { return }
    // The band lets only a part of the hand's speed through; on the way back it is a spring.
    let speed = velocity * RubberBand(dimension: page.sheet.bounds.width).constant / offset
    let curve = TimingCurve.spring(duration: Self.springBack, dampingRatio: 1, initialVelocity: -speed)
    animate(duration: Self.springBack, curve: curve) { page.sheet.transform.translation.x = 0 }
  }

  /// A key or a step comes in between: the page springs back, and what comes goes on from where it is.
  func letGoOfPage() { endPull(velocity: 0) }

  /// Answers a wheel that was turned sideways by some columns, to the right where positive.
  func turnWheel(_ columns: Int) {
    if wheelEnd?.isWaiting != true {
      if let way = browser.catchStep(sideways: false) {
        wheelDirection = way
      } else {
        // Only to the left: what is left of a page is the page above it.
        guard columns < 0, browser.takeInHand(.pop) else { return }
        wheelDirection = 1
      }
      wheel = 0
    }
    wheel -= wheelDirection * Double(columns) * Self.wheelStep
    browser.moveHand(by: wheel)
    wheelEnd?.cancel()
    wheelEnd = browser.stage.schedule(after: Self.wheelSilence) { [weak self] in self?.browser.letGoOfHand() }
  }
}

internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Knows the movements of a hand that mean a step: from the left edge, or with the wheel sideways, up to the page above;
/// sideways over an activity, to the one beside it. A step that is on its way already is caught where it is.
@MainActor final class HandGestures {
  /// Seconds after which a wheel that says nothing was let go: a wheel tells no end.
  static let wheelSilence = 0.3
  /// The part of the way that one step of the wheel makes.
  static let wheelStep = 0.06

  unowned let browser: Browser
  /// Which way the hand goes on: 1 to the right, -1 to the left; `nil` where its movement means nothing.
  private var direction: Double?
  /// Where the mouse was when the hand took the step, from where the button went down.
  private var origin = 0.0
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
      if direction == nil, let (request, way) = meaning(pan), browser.takeInHand(request) { direction = way }
      fallthrough
    case .changed:
      guard let direction else { return }
      browser.moveHand(by: direction * (pan.translation.x - origin) / width)
    case .ended:
      if let direction { browser.letGoOfHand(velocity: direction * pan.velocity.x / width) }
      direction = nil
    case .possible, .cancelled:
      browser.interruptHand()
      direction = nil
    }
  }

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

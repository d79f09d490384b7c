import TextCanvas

@testable import ScreenKit

/// Records calls in order.
@MainActor final class Trace {
  private(set) var calls: [String] = []

  func note(_ call: String) { calls.append(call) }

  /// Returns the calls since the previous `take()` and removes them.
  func take() -> [String] {
    defer { calls = [] }
    return calls
  }
}

/// A screen that records every callback and fills its layer with the letter of its title.
@MainActor class TracingScreen: Screen {
  let trace: Trace
  var onWillAppear: ((TracingScreen) -> Void)?
  var onDidAppear: ((TracingScreen) -> Void)?

  init(_ title: String, _ trace: Trace = Trace()) {
    self.trace = trace
    super.init(title: title)
  }

  override func makeLayer() -> Layer { TracingLayer(self) }

  override func didLoad() {
    trace.note("\(title).didLoad")
    layer.drawing = { [title] state in
      var surface = Surface(state.cells.size)
      for row in 0..<surface.rows {
        surface.draw(String(repeating: title, count: surface.columns), at: CellPoint(column: 0, row: row))
      }
      return surface
    }
  }

  override func willAppear(animated: Bool) {
    trace.note("\(title).willAppear(\(animated))")
    onWillAppear?(self)
  }
  override func didAppear(animated: Bool) {
    trace.note("\(title).didAppear")
    onDidAppear?(self)
  }
  override func willDisappear(animated: Bool) { trace.note("\(title).willDisappear(\(animated))") }
  override func didDisappear(animated: Bool) { trace.note("\(title).didDisappear") }
  override func willMove(to parent: Screen?) { trace.note("\(title).willMove(\(parent?.title ?? "nil"))") }
  override func didMove(to parent: Screen?) { trace.note("\(title).didMove(\(parent?.title ?? "nil"))") }
}

/// A layer named after its screen.
@MainActor final class TracingLayer: Layer {
  let title: String

  init(_ screen: Screen) {
    title = screen.title
    super.init()
    name = screen.title
  }
}

/// Returns the given controllers and records each request.
@MainActor final class TracingProvider: TransitionProvider {
  let trace: Trace
  var animator: (TransitionOperation) -> (any AnimatedTransitioning)? = { _ in nil }
  var interaction: (any InteractiveTransitioning)?
  /// The titles in the stack at the time of the latest request for an animator.
  var stackSeen: [String] = []
  weak var stack: StackScreen?

  init(_ trace: Trace = Trace()) { self.trace = trace }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    trace.note("provider.animator(\(operation), \(from.title), \(to.title))")
    stackSeen = stack?.screens.map(\.title) ?? []
    return animator(operation)
  }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? {
    trace.note("provider.interaction")
    return interaction
  }

  func willShow(_ screen: Screen, in container: Screen, animated: Bool) {
    trace.note("provider.willShow(\(screen.title), \(animated))")
  }

  func didShow(_ screen: Screen, in container: Screen, animated: Bool) {
    trace.note("provider.didShow(\(screen.title), \(animated))")
  }
}

/// A slide that records its callbacks.
@MainActor final class TracingAnimator: AnimatedTransitioning {
  let trace: Trace
  let duration: Double
  let curve: TimingCurve

  init(_ trace: Trace = Trace(), duration: Double = 1, curve: TimingCurve = .linear) {
    self.trace = trace
    self.duration = duration
    self.curve = curve
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    trace.note("animator.duration")
    return duration
  }

  func animateTransition(using context: any TransitionContext) {
    let layers = context.container.sublayers.map(\.name).joined()
    trace.note("animator.animate(\(layers))")
    context.addToLayer()
    let (start, end) = (context.initialFrame(for: context.to), context.finalFrame(for: context.from))
    context.to.layer.offset = start.origin
    animate(duration: duration, curve: curve) {
      context.to.layer.offset = .zero
      context.from.layer.offset = end.origin
    } completion: { [trace] finished in
      trace.note("animator.completion(\(finished))")
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  func animationEnded(_ completed: Bool) { trace.note("animator.ended(\(completed))") }
}

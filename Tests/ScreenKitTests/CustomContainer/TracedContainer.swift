import Testing
import TextCanvas

@testable import ScreenKit

@MainActor final class ArticleDelegate: ArticleContainerDelegate {
  let trace: Trace
  var animator: (any AnimatedTransitioning)?
  var interaction: (any InteractiveTransitioning)?

  init(_ trace: Trace = Trace()) { self.trace = trace }

  func container(_ container: ArticleContainer, didSelect screen: Screen) {
    trace.note("delegate.didSelect(\(screen.title), \(container.selected?.title ?? "nil"))")
  }

  func container(
    _ container: ArticleContainer, animatorFrom from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    trace.note("delegate.animator(\(from.title), \(to.title))")
    return animator
  }

  func container(
    _ container: ArticleContainer, interactionFor animator: any AnimatedTransitioning
  ) -> (any InteractiveTransitioning)? {
    trace.note("delegate.interaction")
    return interaction
  }
}

/// A custom container with three screens, on a stage.
@MainActor struct TracedContainer {
  let trace = Trace()
  let screens: [TracingScreen]
  let container: ArticleContainer
  let delegate: ArticleDelegate
  let stage: Stage
  let issues = IssueLog()

  init() throws {
    let trace = trace
    screens = "ABC".map { TracingScreen("\($0)", trace) }
    container = try ArticleContainer(screens)
    delegate = ArticleDelegate(trace)
    container.delegate = delegate
    stage = makeStage(container, issues: issues)
    _ = stage.tick(at: 0)
  }

  var layers: String { container.containerLayer.sublayers.map(\.name).joined() }
}

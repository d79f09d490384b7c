import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the choice of the animator and interaction controller in the container of issue 12 of objc.io, and its default
/// animation.
@MainActor @Suite struct ArticleContainerChoiceTests {
  /// Implements none of the optional members.
  private final class Silent: ArticleContainerDelegate {}

  @Test(.checklist("S0.34", "S0.37"), arguments: ["no delegate", "no answer", "no method"])
  func `the container's own animator runs if the delegate returns none`(situation: String) throws {
    let it = try TracedContainer()
    let silent = Silent()
    if situation == "no delegate" { it.container.delegate = nil }
    if situation == "no method" { it.container.delegate = silent }

    it.container.press(1)
    let animator = it.container.lastAnimator
    it.stage.advance(to: 1)

    #expect(animator is SpringSlideTransition)
    #expect(it.layers == "B")
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S0.12", "S0.39"), arguments: [(from: 0, to: 2), (from: 2, to: 0)])
  func `the default animation moves towards the selected button`(indexes: (from: Int, to: Int)) throws {
    let it = try TracedContainer()
    if indexes.from > 0 {
      it.container.press(indexes.from)
      it.stage.advance(to: 2)
    }
    let sign = indexes.to > indexes.from ? 1.0 : -1.0

    it.container.press(indexes.to)
    let (from, to) = (it.screens[indexes.from].layer, it.screens[indexes.to].layer)

    #expect(to.presentation.transform.translation == Point(x: 26 * sign, y: 0))
    #expect(from.presentation.transform.translation == .zero)
    #expect(from.transform.translation == Point(x: -26 * sign, y: 0))
    #expect((to.presentation.opacity, to.opacity, from.presentation.opacity, from.opacity) == (0, 1, 1, 0))
  }

  @Test(.checklist("S0.42")) func `the default animation has one direction for operations without indices`() throws {
    for goesForward in [true, false] {
      let it = TracedModal()
      if !goesForward { try it.root.present(it.modal, animated: false) }
      it.provider.animator = { _ in SpringSlideTransition() }

      if goesForward { try it.root.present(it.modal, animated: true) } else { it.root.dismiss(animated: true) }
      let (from, to) = goesForward ? (it.root.layer, it.modal.layer) : (it.modal.layer, it.root.layer)

      #expect(to.presentation.transform.translation.x == 26)
      #expect(from.transform.translation.x == -26)
      it.stage.advance(to: it.stage.now + 1)
      #expect(it.layers == (goesForward ? "M" : "A"))
      #expect(it.issues.all == [])
    }
  }

  @Test(.checklist("S0.43")) func `the zoom animator fades in one layer and shrinks the other`() throws {
    let it = try TracedContainer()
    let zoom = ZoomTransition()
    it.delegate.animator = zoom

    it.container.press(1)
    let (from, to) = (it.screens[0].layer, it.screens[1].layer)
    let half = TimingCurve.easeInOut.progress(at: 0.5)
    let ends = (to.presentation.opacity, to.opacity, from.presentation.transform.scaleX, from.transform.scaleX)
    it.stage.advance(to: 0.5)
    let middle = (to.presentation.opacity, from.presentation.transform, from.presentation.opacity)
    it.stage.advance(to: 1)

    #expect(zoom.transitionDuration(using: nil) == 1)
    #expect(ends == (0, 1, 1, 0.1))
    #expect(middle == (half, Transform(scaleX: 1 - 0.9 * half, scaleY: 1 - 0.9 * half), 1))
    #expect(from.transform == .identity)
    #expect(it.layers == "B")
  }

  @Test(
    .checklist("S0.45", "S0.46"),
    arguments: [
      (own: true, begun: true, vends: true, driver: "own"), (own: true, begun: false, vends: true, driver: "delegate"),
      (own: false, begun: false, vends: true, driver: "delegate"), (own: true, begun: false, vends: false, driver: "-"),
      (own: true, begun: true, vends: false, driver: "own"),
    ])
  func `an active gesture of the container takes precedence over the delegate's controller`(
    row: (own: Bool, begun: Bool, vends: Bool, driver: String)
  ) throws {
    let it = try TracedContainer()
    let interactions = ["own": PercentDrivenInteractiveTransition(), "delegate": PercentDrivenInteractiveTransition()]
    if row.own, let interaction = interactions["own"] { it.container.ownGesture = (interaction, row.begun) }
    it.delegate.animator = row.vends ? TracingAnimator() : nil
    it.delegate.interaction = interactions["delegate"]
    _ = it.trace.take()

    it.container.press(1)
    let isInteractive = it.container.lastContext?.isInteractive
    let driving = interactions.filter { $0.value.state == .interactive }.map(\.key)
    let isAsked = it.trace.take().contains("delegate.interaction")

    #expect(driving == (row.driver == "-" ? [] : [row.driver]))
    #expect(isInteractive == (row.driver != "-"))
    #expect(isAsked == (row.driver == "delegate"))
  }
}

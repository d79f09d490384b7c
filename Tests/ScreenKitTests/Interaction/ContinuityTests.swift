import Motion
import Testing
import TextCanvas

@testable import ScreenKit

/// Around any interruption nothing jumps: between two frames no layer moves more than its velocity allows, and a cell.
@MainActor @Suite struct ContinuityTests {
  nonisolated private static let moments = stride(from: 0.02, through: 0.34, by: 0.04).map { $0 }

  /// Where every layer in a container is seen, and how fast it goes.
  private func look(_ container: Layer) -> [ObjectIdentifier: (place: Point, velocity: Double)] {
    var seen: [ObjectIdentifier: (place: Point, velocity: Double)] = [:]
    for layer in container.sublayers {
      let state = layer.presentation
      let place = Point(
        x: state.frame.x + state.transform.translation.x, y: state.frame.y + state.transform.translation.y)
      let speeds = [LayerProperty.x, .y, .translationX, .translationY].map { abs(layer.velocity(of: $0)) }
      seen[ObjectIdentifier(layer)] = (place, speeds.reduce(0, +))
    }
    return seen
  }

  @Test(
    arguments: [TransitionCatalog.slide, .springSlide, .cover, .crossFade], moments)
  func `a pop in mid-push goes on from what is seen`(kind: TransitionCatalog, moment: Double) throws {
    let a = AnyScreen("A")
    let b = AnyScreen("B")
    let provider = Scene.Vendor()
    provider.kind = kind
    let stack = StackScreen(root: a)
    stack.transitions = provider
    let stage = makeStage(stack, columns: 80, rows: 24)
    try stack.push(b, animated: true)
    stage.advance(to: moment)
    let interval = 1.0 / 240
    var before = look(stack.layer)

    stack.pop(animated: true)
    for step in 1...120 {
      stage.advance(to: moment + Double(step) * interval)
      let now = look(stack.layer)
      for (layer, state) in now {
        guard let old = before[layer] else { continue }
        let way = abs(state.place.x - old.place.x) + abs(state.place.y - old.place.y)
        #expect(way <= max(state.velocity, old.velocity) * interval + 1)
      }
      before = now
    }
  }

  @Test func `at the interruption itself place and velocity stay`() throws {
    let it = try TracedStack("A", also: "B")
    it.provider.animator = { _ in SlideTransition(duration: 0.5, curve: .easeInOut) }
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.2)
    let before = ["A", "B"].map {
      (it[$0].layer.presentation.transform.translation.x, it[$0].layer.velocity(of: .translationX))
    }

    it.stack.pop(animated: true)

    let after = ["A", "B"].map {
      (it[$0].layer.presentation.transform.translation.x, it[$0].layer.velocity(of: .translationX))
    }
    for (old, new) in zip(before, after) {
      #expect(abs(old.0 - new.0) < 1e-9)
      #expect(abs(old.1 - new.1) < 1e-6)
    }
  }

  @Test func `thrown back by hand it keeps the velocity of the hand`() throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.6)

    push.pause()
    push.cancel(velocity: -5)

    #expect(abs(it["B"].layer.velocity(of: .translationX) - 50) < 1e-6)
    it.stage.advance(to: 3)
    #expect(push.outcome == .cancelled)
  }

  @Test func `one long way through grab, scrub, throw, reverse and skip ends where it should`() throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.2)

    push.pause()
    push.fractionComplete = 0.8
    push.cancel(velocity: -1)
    it.stage.advance(to: 0.3)
    let turned = push.fractionComplete
    push.pause()
    push.finish(velocity: 2)
    it.stage.advance(to: 0.32)
    push.skip()

    #expect(turned < 0.8 && turned > 0)
    #expect(push.outcome == .completed)
    #expect(it.layerTitles == "B")
    #expect(it.issues.all == [])
  }
}

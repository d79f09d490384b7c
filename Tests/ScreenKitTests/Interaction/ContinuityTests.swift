import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// The presented corners of the layers in a container at one time, with the velocity of each corner.
@MainActor struct PresentedMotion {
  private struct Corners {
    var low: Point
    var high: Point
    var speed: Point
  }

  /// Corners by layer number. Numbers are never reused.
  private var layers: [Int: Corners] = [:]
  /// Corners by identity, for identities that only one visible layer has. They connect two layers that replace each
  /// other.
  private var identities: [TransitionID: Corners] = [:]
  private var ambiguous: Set<TransitionID> = []

  init(_ container: Layer) {
    for layer in container.sublayers { look(at: layer) }
    for id in ambiguous { identities[id] = nil }
  }

  private mutating func look(at layer: Layer) {
    if layer.isHidden { return }
    let state = layer.presentation
    let (scaleX, scaleY) = (state.transform.scaleX * cos(state.transform.flip), state.transform.scaleY)
    let half = Point(x: state.size.width / 2 * abs(scaleX), y: state.size.height / 2 * abs(scaleY))
    let middle = Point(
      x: state.frame.midX + state.transform.translation.x, y: state.frame.midY + state.transform.translation.y)
    func speed(_ properties: LayerProperty...) -> Double {
      properties.reduce(0) { $0 + abs(layer.velocity(of: $1)) }
    }
    let speed =
      !layer.isAnimating
      ? Point.zero
      : Point(
        x: speed(.x, .translationX, .width) + (speed(.scaleX) + speed(.flip)) * state.size.width / 2,
        y: speed(.y, .translationY, .height) + speed(.scaleY) * state.size.height / 2)
    let corners = Corners(
      low: Point(x: middle.x - half.x, y: middle.y - half.y), high: Point(x: middle.x + half.x, y: middle.y + half.y),
      speed: speed)
    layers[layer.id] = corners
    if let id = layer.identity, identities.updateValue(corners, forKey: id) != nil { ambiguous.insert(id) }
    for sublayer in layer.sublayers { look(at: sublayer) }
  }

  /// Returns the greatest distance, in cells, by which a corner moved farther than its velocity allows in `seconds`.
  func excess(over earlier: PresentedMotion, after seconds: Double) -> Double {
    var excess = -Double.infinity
    let pairs =
      layers.compactMap { layer, now in earlier.layers[layer].map { ($0, now) } }
      + identities.compactMap { id, now in earlier.identities[id].map { ($0, now) } }
    for (old, now) in pairs {
      let (columns, rows) = (max(now.speed.x, old.speed.x) * seconds, max(now.speed.y, old.speed.y) * seconds)
      for (a, b) in [(now.low, old.low), (now.high, old.high)] {
        excess = max(excess, abs(a.x - b.x) - columns, abs(a.y - b.y) - rows)
      }
    }
    return excess
  }
}

/// Tests that interruptions cause no jumps: between two frames, no layer moves more than its velocity allows plus one
/// cell.
@MainActor @Suite struct ContinuityTests {
  enum Interruption: CaseIterable {
    case back, other, grabbed, thrown, thrownBack, reversed, reversedTwice, held, resized

    @MainActor func happen(to transition: Transition, in scene: ContainerScene) throws {
      switch self {
      case .back: _ = try scene.back(true)
      case .other: try scene.other()
      case .grabbed:
        transition.pause()
        transition.finish()
      case .thrown:
        transition.pause()
        transition.finish(velocity: 6)
      case .thrownBack:
        transition.pause()
        transition.cancel(velocity: -6)
      case .reversed: transition.cancel()
      case .reversedTwice:
        transition.cancel()
        transition.pause()
        transition.finish(velocity: 2)
      case .held: transition.pause()
      case .resized:
        // A resize is not a motion; motion is compared only after it.
        scene.stage.resize(to: CellSize(columns: 60, rows: 20))
      }
    }
  }

  /// Returns the greatest jump at and after an interruption, in cells.
  private func jump(
    _ kind: TransitionCatalog, in place: ContainerScene.Kind, after moment: Double, by interruption: Interruption
  ) throws -> Double {
    let it = ContainerScene(place, columns: 80, rows: 24)
    it.provider.kind = kind
    let transition = try #require(try it.forward(true))
    _ = it.stage.tick(at: moment)
    var before = PresentedMotion(it.container())
    var maximum = -Double.infinity

    try interruption.happen(to: transition, in: it)
    if interruption == .resized { before = PresentedMotion(it.container()) }
    // Short intervals at first, because a short remaining motion can end within one frame.
    for step in 0...100 {
      let interval = step <= 50 ? 1.0 / 500 : 1.0 / 100
      if step > 0 { _ = it.stage.tick(at: it.stage.now + interval) }
      let now = PresentedMotion(it.container())
      maximum = max(maximum, now.excess(over: before, after: step == 0 ? 0 : interval))
      before = now
    }
    return maximum
  }

  @Test(arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `after an interruption no layer moves more than a cell further than its velocity predicts`(
    kind: TransitionCatalog, place: ContainerScene.Kind
  ) throws {
    for interruption in Interruption.allCases {
      for moment in place == .stack ? [0.01, 0.06, 0.11, 0.2, 0.31] : [0.11] {
        let jump = try jump(kind, in: place, after: moment, by: interruption)
        if jump > 1 { Issue.record("\(interruption) at \(moment): \(jump)") }
      }
    }
  }

  @Test func `three interruptions in a row cause no jump`() throws {
    for kind in TransitionCatalog.allCases {
      let it = ContainerScene(.stack, columns: 80, rows: 24)
      it.provider.kind = kind
      var before = PresentedMotion(it.container())
      var maximum = -Double.infinity
      var last: Transition?
      for step in 0..<240 {
        _ = it.stage.tick(at: Double(step) / 120)
        switch step {
        case 5: last = try it.forward(true)
        case 15: last = try it.back(true)
        case 20: last?.pause()
        case 24: last?.finish(velocity: 3)
        case 28: last = try it.forward(true)
        case 33: try it.other()
        case 41: last = try it.back(true)
        default: break
        }
        let now = PresentedMotion(it.container())
        maximum = max(maximum, now.excess(over: before, after: 1.0 / 120))
        before = now
      }
      #expect(maximum <= 1, "\(kind)")
      it.expectQuiet("\(kind)")
    }
  }

  /// Performs a random operation. Returns `false` if a jump is expected: after scrubbing, after skipping, and after
  /// dismissing a chain.
  private func happen(
    in it: ContainerScene, to last: inout Transition?, using random: inout SplitMix64
  ) throws -> Bool {
    it.provider.kind = try #require(TransitionCatalog.allCases.randomElement(using: &random))
    let velocity = Double.random(in: -8...8, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: last = (try? it.forward(true)) ?? last
    case 2, 3:
      // Dismissing a chain removes the screens above at once; another test covers that.
      let isChain = it.a.presented?.presented != nil
      last = try it.back(true) ?? last
      return !isChain
    case 4, 5: try? it.other()
    case 6: last?.pause()
    case 7: last?.finish(velocity: velocity)
    case 8: last?.cancel(velocity: velocity)
    case 9: last?.finish()
    case 10:
      last?.fractionComplete = Double.random(in: 0...1, using: &random)
      return false
    default:
      last?.skip()
      return false
    }
    return true
  }

  nonisolated private static var seeds: ClosedRange<UInt64> {
    1...UInt64(Tier.count(4, long: 200))
  }

  @Test(arguments: seeds, ContainerScene.Kind.allCases)
  func `random operations with random animators cause no jump`(seed: UInt64, place: ContainerScene.Kind) throws {
    var random = SplitMix64(seed: seed)
    let it = ContainerScene(place, columns: 80, rows: 24)
    var last: Transition?
    var before = PresentedMotion(it.container())
    var interruptions = 0

    for frame in 0..<1000 {
      let interval = frame % 3 == 0 ? 1.0 / 120 : 1.0 / 480
      _ = it.stage.tick(at: it.stage.now + interval)
      var now = PresentedMotion(it.container())
      let drift = now.excess(over: before, after: interval)
      if drift > 1 { Issue.record("frame \(frame), seed \(seed), \(place): \(drift) cells on the way") }
      before = now

      guard Int.random(in: 0..<12, using: &random) == 0 else { continue }
      let mayNotShow = try happen(in: it, to: &last, using: &random)
      _ = it.stage.tick(at: it.stage.now)
      now = PresentedMotion(it.container())
      let jump = now.excess(over: before, after: 0)
      if mayNotShow, jump > 1 { Issue.record("frame \(frame), seed \(seed), \(place): a jump of \(jump) cells") }
      if mayNotShow { interruptions += 1 }
      before = now
    }

    #expect(interruptions > 40)
    #expect(it.issues.all == [])
  }

  @Test func `position and velocity are unchanged at the moment of an interruption`() throws {
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

  @Test func `cancelling with a velocity starts at that velocity`() throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.6)

    push.pause()
    push.cancel(velocity: -5)

    #expect(abs(it["B"].layer.velocity(of: .translationX) - 50) < 1e-6)
    it.stage.advance(to: 3)
    #expect(push.outcome == .cancelled)
  }

  @Test func `a transition that was grabbed, scrubbed, reversed and skipped completes`() throws {
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

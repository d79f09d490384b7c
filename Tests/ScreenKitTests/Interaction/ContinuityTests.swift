import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// Where the corners of the layers in a container are seen at one moment, and how fast they may move.
@MainActor struct SeenMotion {
  private struct Corners {
    var low: Point
    var high: Point
    var speed: Point
  }

  /// By their numbers, since those are never used again.
  private var layers: [Int: Corners] = [:]
  /// Where only one layer of an identity is seen, the eye follows that from one layer to the other.
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

  /// How many cells more than its velocity allows the fastest corner has moved since another moment.
  func excess(over earlier: SeenMotion, after seconds: Double) -> Double {
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

/// Around any interruption nothing jumps: between two frames no layer moves more than its velocity allows, and a cell.
@MainActor @Suite struct ContinuityTests {
  enum Interruption: CaseIterable {
    case back, other, grabbed, thrown, thrownBack, reversed, reversedTwice, held, resized

    @MainActor func happen(to transition: Transition, in scene: Scene) throws {
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
        // Not a motion: the terminal changed under it. What follows moves on from there.
        scene.stage.resize(to: CellSize(columns: 60, rows: 20))
      }
    }
  }

  /// The worst jump at and after an interruption, in cells.
  private func jump(
    _ kind: TransitionCatalog, in place: Scene.Kind, after moment: Double, by interruption: Interruption
  ) throws -> Double {
    let it = Scene(place, columns: 80, rows: 24)
    it.provider.kind = kind
    let transition = try #require(try it.forward(true))
    _ = it.stage.tick(at: moment)
    var before = SeenMotion(it.container())
    var worst = -Double.infinity

    try interruption.happen(to: transition, in: it)
    if interruption == .resized { before = SeenMotion(it.container()) }
    // Closely at first, since a short rest may be over within a frame.
    for step in 0...100 {
      let interval = step <= 50 ? 1.0 / 500 : 1.0 / 100
      if step > 0 { _ = it.stage.tick(at: it.stage.now + interval) }
      let now = SeenMotion(it.container())
      worst = max(worst, now.excess(over: before, after: step == 0 ? 0 : interval))
      before = now
    }
    return worst
  }

  @Test(arguments: TransitionCatalog.allCases, Scene.Kind.allCases)
  func `whatever interrupts an animator, no layer moves more than its velocity and a cell`(
    kind: TransitionCatalog, place: Scene.Kind
  ) throws {
    for interruption in Interruption.allCases {
      for moment in place == .stack ? [0.01, 0.06, 0.11, 0.2, 0.31] : [0.11] {
        let jump = try jump(kind, in: place, after: moment, by: interruption)
        if jump > 1 { Issue.record("\(interruption) at \(moment): \(jump)") }
      }
    }
  }

  @Test func `a way through three interruptions is smooth too`() throws {
    for kind in TransitionCatalog.allCases {
      let it = Scene(.stack, columns: 80, rows: 24)
      it.provider.kind = kind
      var before = SeenMotion(it.container())
      var worst = -Double.infinity
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
        let now = SeenMotion(it.container())
        worst = max(worst, now.excess(over: before, after: 1.0 / 120))
        before = now
      }
      #expect(worst <= 1, "\(kind)")
      it.expectQuiet("\(kind)")
    }
  }

  /// What may happen at random; a scrub and a skip are jumps that were asked for, all others must not show one.
  private func happen(
    in it: Scene, to last: inout Transition?, using random: inout SplitMix64
  ) throws -> Bool {
    it.provider.kind = try #require(TransitionCatalog.allCases.randomElement(using: &random))
    let velocity = Double.random(in: -8...8, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: last = (try? it.forward(true)) ?? last
    case 2, 3:
      // Everything above what is dismissed goes at once: another test looks at that.
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

  @Test(arguments: seeds, Scene.Kind.allCases)
  func `whatever happens when, with whatever animators, nothing jumps`(seed: UInt64, place: Scene.Kind) throws {
    var random = SplitMix64(seed: seed)
    let it = Scene(place, columns: 80, rows: 24)
    var last: Transition?
    var before = SeenMotion(it.container())
    var interruptions = 0

    for frame in 0..<1000 {
      let interval = frame % 3 == 0 ? 1.0 / 120 : 1.0 / 480
      _ = it.stage.tick(at: it.stage.now + interval)
      var now = SeenMotion(it.container())
      let drift = now.excess(over: before, after: interval)
      if drift > 1 { Issue.record("frame \(frame), seed \(seed), \(place): \(drift) cells on the way") }
      before = now

      guard Int.random(in: 0..<12, using: &random) == 0 else { continue }
      let mayNotShow = try happen(in: it, to: &last, using: &random)
      _ = it.stage.tick(at: it.stage.now)
      now = SeenMotion(it.container())
      let jump = now.excess(over: before, after: 0)
      if mayNotShow, jump > 1 { Issue.record("frame \(frame), seed \(seed), \(place): a jump of \(jump) cells") }
      if mayNotShow { interruptions += 1 }
      before = now
    }

    #expect(interruptions > 40)
    #expect(it.issues.all == [])
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

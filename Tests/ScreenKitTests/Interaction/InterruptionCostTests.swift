import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that the cost of a transition does not grow with the number of interruptions before it.
@MainActor @Suite struct InterruptionCostTests {
  /// A limit that is above the cost of all scenes in these tests. A test ends early above it, in case the cost doubles
  /// in each round.
  private static let limit = 5_000

  /// Expects that the cost does not grow with the number of rounds.
  private func expectBounded(
    _ rounds: Int, on stage: Stage, _ description: String, from location: SourceLocation = #_sourceLocation,
    _ operation: (_ round: Int) throws -> Void
  ) rethrows {
    var costs: [DrawnCost] = []
    for round in 0..<rounds {
      try operation(round)
      let cost = DrawnCost(of: stage)
      costs.append(cost)
      guard cost.total < Self.limit else { break }
    }
    let first = costs.prefix(rounds / 2).map(\.total).max() ?? 0
    let last = costs.map(\.total).max() ?? 0
    #expect(
      costs.count == rounds && last <= first + first / 10, "\(description): \(costs.prefix(3)) … \(costs.suffix(2))",
      sourceLocation: location)
  }

  @Test(arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `many interruptions do not raise the cost of any animator and container`(
    kind: TransitionCatalog, place: ContainerScene.Kind
  ) throws {
    for pause in [0, 0.001, 0.02] {
      let it = ContainerScene(place, columns: 12, rows: 3)
      it.provider.kind = kind

      try expectBounded(Tier.count(160, long: 2_000), on: it.stage, "\(kind) in \(place), every \(pause) s") { round in
        it.stage.advance(to: it.stage.now + pause)
        switch round % 3 {
        // Pushing a screen that is already in the container is refused.
        case 0: _ = try? it.forward(true)
        case 1: try? it.other()
        default: _ = try it.back(true)
        }
      }
      it.stage.advance(to: it.stage.now + 5)
      #expect(it.container().sublayers.map(\.name) == it.layers().map(\.name))
      #expect(it.issues.all == [])
    }
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `many interruptions by random animators do not raise the cost`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let it = ContainerScene(.stack, columns: 12, rows: 3)
    let screens = (0..<4).map { _ in AnyScreen("S") }
    let container = try #require(it.a.parent as? StackScreen)

    try expectBounded(Tier.count(400, long: 5_000), on: it.stage, "seed \(seed)") { _ in
      it.provider.kind = TransitionCatalog.allCases.randomElement(using: &random)!
      it.stage.advance(to: it.stage.now + [0, 0.002, 0.03].randomElement(using: &random)!)
      let stack = [it.a] + screens.shuffled(using: &random).prefix(2)
      _ = try container.setScreens(stack, animated: true)
    }
    #expect(it.issues.all == [])
  }

  @Test func `many interruptions of a stack in tabs do not raise the cost`() throws {
    let (a, b, c) = (AnyScreen("A"), AnyScreen("B"), AnyScreen("C"))
    let stack = StackScreen(root: a)
    let tabs = TabScreen([stack, c])
    let provider = ContainerScene.Provider()
    provider.kind = .zoom
    for container in [stack, tabs] { container.transitions = provider }
    let stage = makeStage(tabs, columns: 12, rows: 3)

    try expectBounded(Tier.count(60, long: 2_000), on: stage, "tabs") { round in
      stage.advance(to: stage.now + 0.001)
      switch round % 4 {
      case 0: _ = try? stack.push(b, animated: true)
      case 2: stack.pop(animated: true)
      default: _ = try tabs.select(1 - tabs.selectedIndex, animated: true)
      }
    }
  }

  @Test func `repeated snapshots keep their size and appearance`() {
    let stage = Stage(size: CellSize(columns: 8, rows: 2))
    let layer = drawnLayer("a")
    layer.frame = Rect(x: 0, y: 0, width: 6, height: 2)
    layer.opacity = 0.5
    stage.layer.add(layer)
    let expected = stage.picture(at: 0)
    var counts: [Int] = []

    for _ in 0..<30 {
      let container = Layer(frame: stage.layer.bounds)
      for old in stage.layer.sublayers {
        container.add(old.snapshot())
        old.removeFromSuperlayer()
      }
      stage.layer.add(container)
      counts.append(DrawnCost(of: stage).nodes)
    }

    #expect(stage.picture(at: 0) == expected)
    #expect(counts[29] == counts[15])
  }

  @Test func `the rearmost of many snapshots are merged and fade in place`() throws {
    let it = try TracedStack("A", also: "BCDEFGHIJKLMNOP")
    it.provider.animator = { _ in TracingAnimator(curve: .easeInOut) }
    var pictures: [(before: [String], after: [String])] = []
    for title in "BCDEFGHIJKLMNOP".map(String.init) {
      let time = it.stage.now + 0.01
      let before = it.stage.picture(at: time)
      try it.stack.push(it[title], animated: true)
      pictures.append((before, it.stage.picture(at: time)))
    }
    let count = it.stack.layer.sublayers.count
    it.stage.advance(to: 5)

    #expect(pictures.allSatisfy { $0.before == $0.after })
    #expect(count <= DepartingSnapshots.maximumSnapshots + 5)
    #expect(it.layerTitles == "P")
    #expect(it.issues.all == [])
  }

  @Test func `retargeting a property a thousand times keeps it continuous and cheap`() {
    let it = SingleLayerStage()
    var jumps: [Double] = []

    for round in 1...1000 {
      it.stage.advance(to: it.stage.now + (round % 2 == 0 ? 0.001 : 0))
      let before = it.layer.presentation.frame.x
      let speed = it.layer.velocity(of: .x)
      animate(duration: 1, curve: .easeInOut) { it.layer.frame.x = round % 2 == 0 ? 8 : 0 }
      jumps.append(abs(it.layer.presentation.frame.x - before))
      jumps.append(abs(it.layer.velocity(of: .x) - speed) / 100)
    }
    let count = it.layer.animations.count + it.layer.residualAnimations.count
    it.stage.advance(to: it.stage.now + 2)

    #expect(jumps.max() ?? 0 < 1e-6)
    #expect(count <= 16)
    #expect(it.layer.presentation.frame.x == 8 && !it.layer.isAnimating)
  }
}

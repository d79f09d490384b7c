import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that an interrupted layer never moves in the wrong direction by more than a tenth of the distance, and that
/// its velocity is continuous.
@MainActor @Suite struct OvershootTests {
  nonisolated private static let curves: [TimingCurve] = [
    .linear, .easeIn, .easeOut, .easeInOut, .bezier(0.3, 0, 0.1, 1), .spring(duration: 0.5, bounce: 0),
    .spring(duration: 0.4, dampingRatio: 1),
  ]

  private enum Turn: CaseIterable { case back, other, cancelled, reversed, thrownWrong }

  /// The path of one value: its start, its target, and its extremes.
  private struct Path: CustomStringConvertible {
    let start: Double
    let target: Double
    let length: Double
    var low: Double
    var high: Double

    var excess: Double { max(min(start, target) - low, high - max(start, target)) }
    var description: String { "\(start) → \(target), seen \(low)…\(high)" }
  }

  /// Interrupts a slide and records the paths of both screens to their targets.
  private func ways(
    _ curve: TimingCurve, _ duration: Double, at time: Double, by turn: Turn, isPop: Bool
  ) throws -> (ways: [Path], breaks: [Double]) {
    let it = ContainerScene(.stack, columns: 80, rows: 24)
    it.provider.other = SlideTransition(duration: duration, curve: curve)
    if isPop { _ = try it.forward(false) }
    let first = try #require(try isPop ? it.back(true) : it.forward(true))
    _ = it.stage.tick(at: time)
    let layers = [it.a.layer, it.b.layer]
    func places() -> [Double] { layers.map(\.presentation.transform.translation.x) }
    func speeds() -> [Double] { layers.map { $0.velocity(of: .translationX) } }
    let (before, speedsBefore) = (places(), speeds())
    // A spring can end before its duration. Nothing is interrupted then, and a returning screen starts from the
    // beginning.
    let wasShown = layers.map { $0.stage != nil }

    switch turn {
    case .back: _ = try isPop ? it.forward(true) : it.back(true)
    case .other: try it.other()
    case .cancelled: first.cancel()
    // A spring that has ended cannot be cancelled.
    case .reversed where !first.isRunning: break
    case .reversed:
      first.cancel()
      _ = it.stage.tick(at: time + 0.03)
      _ = try isPop ? it.back(true) : it.forward(true)
    case .thrownWrong:
      first.pause()
      first.cancel(velocity: 9)
    }
    // A transition that was paused, or finished with a velocity, has the velocity of the gesture.
    let isContinuous = turn == .back || turn == .other
    let breaks = zip(speeds(), speedsBefore).enumerated().compactMap { index, speeds in
      isContinuous && layers[index].stage != nil ? abs(speeds.0 - speeds.1) : nil
    }
    let start = turn == .reversed ? places() : before
    // The path of a removed layer ends here, because a snapshot moves in its place.
    var paths = [start, places()]
    for step in 1...600 {
      _ = it.stage.tick(at: it.stage.now + (step <= 400 ? 0.002 : 0.02))
      paths.append(places())
    }
    let ways = layers.indices.filter { wasShown[$0] && layers[$0].stage != nil }.map { index in
      let path = paths.map { $0[index] }
      let target = path[path.count - 1]
      return Path(
        start: start[index], target: target, length: 80, low: path.min() ?? 0, high: path.max() ?? 0)
    }
    return (ways, breaks)
  }

  @Test func `a pop soon after a push does not move the page the wrong way`() throws {
    let it = ContainerScene(.stack, columns: 80, rows: 24)
    it.provider.other = SlideTransition(duration: 0.35, curve: .easeInOut)
    _ = try it.forward(true)
    _ = it.stage.tick(at: 0.06)
    let start = it.b.layer.presentation.transform.translation.x

    _ = try it.back(true)
    let page = try #require(it.stage.layer.sublayers.first?.sublayers.first { $0 === it.b.layer })
    var path: [Double] = []
    for step in 1...100 {
      _ = it.stage.tick(at: 0.06 + Double(step) * 0.0034)
      path.append(page.presentation.transform.translation.x)
    }

    #expect(start > 70)
    #expect((path.min() ?? 0) >= start - 8)
  }

  nonisolated private static var seeds: ClosedRange<UInt64> { 1...UInt64(Tier.count(60, long: 2000)) }

  @Test(arguments: seeds) func `an interrupted screen overshoots its path by at most a tenth`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let curve = try #require(Self.curves.randomElement(using: &random))
    let turn = try #require(Turn.allCases.randomElement(using: &random))
    let duration = Double.random(in: 0.08...1, using: &random)
    let moment = duration * Double.random(in: 0.001...0.999, using: &random)
    let isPop = Bool.random(using: &random)

    let measured = try ways(curve, duration, at: moment, by: turn, isPop: isPop)

    let description = "\(curve), \(duration) s, at \(moment), \(turn), pop \(isPop)"
    for path in measured.ways where path.excess > path.length / 10 + 1e-6 { Issue.record("\(description): \(path)") }
    for jump in measured.breaks where jump > 1e-6 { Issue.record("\(description): the velocity jumps by \(jump)") }
  }
}

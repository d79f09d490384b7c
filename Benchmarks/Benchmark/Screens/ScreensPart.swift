import BenchmarkReference
import ScreenKit
import TestSupport
import TextCanvas

/// The cost of a frame with many animated layers, before anything is drawn.
enum ScreensPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {
    var table = Table(
      "ScreenKit: a tick of 200 animated layers",
      note: "Processor time. Position, size and strength of all layers are on springs that are bent to new ends every "
        + "half second; each layer places another one in it by what is presented of it. The reference is the same tree "
        + "when nothing moves.",
      columns: ["what", "median", "99 %", "reference", "ratio", "allocations a tick", "pieces of memory gained"])
    var swarm = Swarm(seed: options.seed)
    swarm.run(600)
    let idle = Swarm(seed: options.seed).still()
    let live = allocation_live()
    let before = allocation_count()
    let samples = swarm.run(10_000)
    let each = Double(allocation_count() - before) / 10_000
    let gained = allocation_live() - live
    table.add(
      "10,000 ticks", samples.median.asTime, samples.p99.asTime, idle.median.asTime,
      (samples.median / idle.median).asRatio, each.rounded(digits: 3), Int(gained).grouped,
      target: "99 % ≤ 1 ms, none gained", isMet: samples.p99 <= 1_000_000 && gained <= 64)
    print(table)
  }
}

/// A stage with 200 layers that are always animated.
@MainActor private struct Swarm {
  private let stage: Stage
  private let layers: [Layer]
  private var random: SplitMix64
  private var ticks = 0
  private var seen = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let screen = Screen()
    stage = Stage(size: CellSize(columns: 200, rows: 60), rootScreen: screen)
    var card = Surface(columns: 24, rows: 4, filledWith: .blank)
    card.draw("A card", at: CellPoint(column: 2, row: 1))
    layers = (0..<200).map { number in
      let layer = Layer(frame: Rect(x: Double(number % 20) * 10, y: Double(number / 20) * 6, width: 9, height: 4))
      layer.content = card
      layer.clipsToBounds = true
      let corner = Layer(frame: Rect(x: 0, y: 0, width: 1, height: 1), content: Surface(columns: 1, rows: 1))
      layer.add(corner)
      layer.presentedLayout = { [unowned corner] _, state in
        corner.frame = Rect(x: state.frame.width - 1, y: state.frame.height - 1, width: 1, height: 1)
      }
      screen.layer.add(layer)
      return layer
    }
  }

  /// Ticks the stage and measures each tick.
  @discardableResult
  mutating func run(_ count: Int) -> Samples {
    var samples = Samples(reserving: count)
    for _ in 0..<count {
      let now = Double(ticks) / 60
      if ticks % 30 == 0 { bend(at: now) }
      samples.measure(.thread) { seen &+= stage.tick(at: now).children.count }
      ticks += 1
    }
    return samples
  }

  private mutating func bend(at time: Double) {
    let frames = layers.map { _ in
      Rect(
        x: Double(random.below(190)), y: Double(random.below(56)), width: Double(4 + random.below(20)),
        height: Double(2 + random.below(4)))
    }
    stage.perform(at: time) {
      animate(duration: 0.8, dampingRatio: 0.7) {
        for (layer, frame) in zip(layers, frames) {
          layer.frame = frame
          layer.opacity = frame.width / 24
        }
      }
    }
  }

  /// Ticks the stage while nothing moves.
  func still() -> Samples {
    var samples = Samples(reserving: 2000)
    for number in 0..<2000 { samples.measure(.thread) { _ = stage.tick(at: Double(number) / 60) } }
    return samples
  }
}

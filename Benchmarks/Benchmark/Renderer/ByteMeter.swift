import FrameReference
import TerminalHarness
import TerminalIO
import TextCanvas

/// Counts the bytes of consecutive frames, for the encoder and for the plain difference.
@MainActor final class ByteMeter {
  /// The bytes of one frame.
  struct Count {
    let ours: Int
    let plain: Int
    /// The causes of the encoder's bytes.
    var profile = ByteProfile()
  }

  private(set) var counts: [Count] = []
  private let size: CellSize
  private var compositor: Compositor
  private let encoder: FrameEncoder
  private var plain: PlainDifference
  private let emulator: Emulator
  /// The frame that was drawn last.
  private(set) var frame: Frame

  init(
    size: CellSize, fading: Fading = .blend(page: Screens.page), levels: OpacityLevels = .four,
    features: OutputFeatures = OutputFeatures(hasLinks: false)
  ) {
    self.size = size
    compositor = Compositor(fading: fading, levels: levels)
    encoder = FrameEncoder(size: size, features: features)
    plain = PlainDifference(size: size)
    emulator = Emulator(columns: size.columns, rows: size.rows)
    // The state in which a session passes the terminal to the encoder.
    emulator.feed("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[2J")
    frame = Frame(surface: Surface(size))
  }

  /// Draws a tree as the next frame if it differs from the preceding one.
  func draw(_ tree: RenderNode) {
    guard compositor.composeIfChanged(tree, into: &frame) else { return }
    let bytes = encoder.encode(frame)
    emulator.feed(bytes)
    let others = plain.encode(frame.surface)
    guard !bytes.isEmpty || !others.isEmpty else { return }
    var count = Count(ours: bytes.count, plain: others.count)
    count.profile.add(bytes)
    counts.append(count)
  }

  /// Discards all counts.
  func reset() { counts.removeAll() }

  /// Compares the screen of the terminal emulator with the frame.
  func check(_ name: String) throws {
    guard emulator.lines == frame.surface.textRows else { throw BenchmarkError.differs("screen after \(name)") }
  }
}

extension Table {
  /// Adds a row with the causes of the bytes of some frames.
  mutating func addProfile(_ name: String, _ counts: [ByteMeter.Count]) {
    var profile = ByteProfile()
    for count in counts { profile = profile + count.profile }
    func each(_ cause: ByteProfile.Cause) -> String { (profile[cause] / max(1, counts.count)).grouped }
    let all = counts.reduce(0) { $0 + $1.ours }
    add(
      name, (all / max(1, counts.count)).grouped, each(.words), each(.lines), each(.pens), each(.cursor),
      each(.erasures), each(.moves))
  }

  /// Adds a row of frames. The target is in bytes per frame.
  mutating func add(_ name: String, _ counts: [ByteMeter.Count], target: Int? = nil, targetText: String? = nil) {
    let ours = counts.map(\.ours)
    let plain = counts.map(\.plain)
    let sum = ours.reduce(0, +)
    let plainSum = plain.reduce(0, +)
    let count = max(1, ours.count)
    let isShorter = zip(ours, plain).allSatisfy { $0 <= $1 }
    add(
      name, "\(ours.count)", (sum / count).grouped, (ours.max() ?? 0).grouped, (plainSum / count).grouped,
      (Double(sum) / Double(plainSum)).asRatio, isShorter ? "" : "some frames longer than plain",
      target: targetText ?? target.map { "≤ \($0.grouped)" } ?? "", isMet: target.map { sum <= $0 * count })
  }
}

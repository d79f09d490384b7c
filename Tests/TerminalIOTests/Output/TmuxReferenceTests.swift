import FrameReference
import TerminalHarness
import TestSupport
import TextCanvas
import Testing

@testable import TerminalIO

/// Compares output with the content of a tmux pane, as tmux itself reports it. This is a second reference in addition
/// to libvterm.
@Suite(.enabled(if: TmuxPane.executable != nil, "tmux is not installed; 'make test' installs it"))
struct TmuxReferenceTests {
  // REP is off, because tmux 3.3 supports it only for ASCII and therefore never receives it.
  private static let features: [OutputFeatures] = [
    OutputFeatures(colourDepth: .truecolor, hasSynchronizedOutput: true),
    OutputFeatures(colourDepth: .indexed, hasLinks: false),
    OutputFeatures(colourDepth: .ansi, erasesWithBackground: false),
    OutputFeatures(colourDepth: .none, hasLinks: false),
    OutputFeatures(colourDepth: .truecolor, hasLinks: false),
  ]

  /// The number of frame pairs to test with each set of features.
  private static let pairs = Tier.count(400, long: 4_000)

  @Test(arguments: 0..<5)
  func `a pane shows each frame after a series of changes`(seed: Int) throws {
    var frames = RandomFrames(seed: UInt64(3000 + seed))
    frames.usesDisputed = seed == 4
    let features = Self.features[seed]
    let pane = try TmuxPane(columns: 60, rows: 12)
    var pairs = 0
    while pairs < Self.pairs {
      try pane.resize(
        columns: .random(in: 2...60, using: &frames.random), rows: .random(in: 1...12, using: &frames.random))
      // The state in which a session starts to use the encoder.
      try pane.feed("\u{1B}[m\u{1B}]8;;\u{1B}\\\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[2J")
      let encoder = FrameEncoder(size: CellSize(columns: pane.columns, rows: pane.rows), features: features)
      var frame = frames.first(columns: pane.columns, rows: pane.rows)
      var previous = frame
      for step in 0..<12 {
        if step == 6 {
          try pane.resize(
            columns: .random(in: 2...60, using: &frames.random), rows: .random(in: 1...12, using: &frames.random))
          encoder.resize(to: CellSize(columns: pane.columns, rows: pane.rows))
          frame = frames.first(columns: pane.columns, rows: pane.rows)
        }
        let bytes = encoder.encode(frame)
        try pane.feed(bytes)
        let expected = ExpectedScreen(frame.surface, features: features, showsFaint: true)
        if let difference = expected.difference(from: try pane.cells()) {
          let written = String(decoding: bytes, as: UTF8.self).debugDescription
          let before = previous.surface.textRows.enumerated().map { "\($0) |\($1)|" }.joined(separator: "\n")
          Issue.record(
            "\(before) \(pane.columns) seed \(seed), pair \(pairs): \(difference)\n\(written)\nshifts \(frame.shifts)")
          return
        }
        previous = frame
        frame = frames.next(after: frame)
        pairs += 1
      }
      #expect(try Self.differenceInErased(pane, encoder, features) == nil, "seed \(seed), pair \(pairs)")
    }
  }

  /// Describes the rows whose erased ends have a wrong colour. tmux reports that colour only if something is written
  /// after it, so this function writes into the last column.
  private static func differenceInErased(
    _ pane: TmuxPane, _ encoder: FrameEncoder, _ features: OutputFeatures
  ) throws -> String? {
    guard let frame = encoder.lastFrame else { return "no frame" }
    var expected = ExpectedScreen(frame.surface, features: features, showsFaint: true)
    for (row, cells) in try pane.cells().enumerated() {
      let missing = expected.rows[row].filter { $0 != .continuation }.count - cells.count
      guard missing > 0, !expected.rows[row].contains(nil) else { continue }
      try pane.feed("\u{1B}[m\u{1B}[\(row + 1);\(pane.columns)Hx")
      expected.rows[row][pane.columns - 1] = ShownCell("x")
    }
    return expected.difference(from: try pane.cells())
  }

  /// Each case is a peculiarity of tmux, with bytes that caused a wrong result earlier.
  @Test func `output works around the known peculiarities of tmux`() throws {
    let style = Style(background: .indexed(4))
    let blue = Cell(background: .indexed(4))
    func surface(_ draw: (inout Surface) -> Void) -> Surface {
      var surface = Surface(columns: 20, rows: 1, filledWith: .blank)
      draw(&surface)
      return surface
    }
    let cases: [(Surface, Frame)] = [
      // A combining mark in the last column, which tmux would add to the column before it.
      (surface { _ in }, Frame(surface: surface { $0.draw("e\u{301}", at: CellPoint(column: 19, row: 0)) })),
      // More cells are inserted than moved, and old cells would stay between them.
      (
        surface { $0.draw("abcdefgh", at: CellPoint(column: 12, row: 0)) },
        Frame(
          surface: surface { $0.draw("abc", at: CellPoint(column: 17, row: 0)) },
          shifts: [RegionShift(rect: CellRect(column: 12, row: 0, columns: 8, rows: 1), columns: 5, rows: 0)])
      ),
      // The first half of a wide character is erased and its second half is overwritten, which would blank the first
      // half again.
      (
        surface { $0.draw("0123456789漢", at: .zero) },
        Frame(
          surface: surface {
            $0.fill(CellRect(column: 0, row: 0, columns: 11, rows: 1), with: blue)
            $0.draw("x", at: CellPoint(column: 11, row: 0), style: style)
          })
      ),
    ]
    let pane = try TmuxPane(columns: 20, rows: 1)
    let features = OutputFeatures()

    for (before, after) in cases {
      // The content may also be unknown, as after a change of size.
      for forgets in [false, true] {
        try pane.feed("\u{1B}[m\u{1B}[?7l\u{1B}[H\u{1B}[2J")
        let encoder = FrameEncoder(size: before.size, features: features)
        try pane.feed(encoder.encode(Frame(surface: before)))
        if forgets { encoder.invalidateScreen() }
        try pane.feed(encoder.encode(after))

        #expect(ExpectedScreen(after.surface, features: features).difference(from: try pane.cells()) == nil)
      }
    }
  }

  @Test func `a comparison with a pane finds each difference`() throws {
    var surface = Surface(columns: 20, rows: 2, filledWith: .blank)
    surface.draw("漢字 and", at: .zero, style: Style(foreground: .indexed(12), attributes: [.bold, .faint]))
    surface.draw("blue", at: CellPoint(column: 3, row: 1), style: Style(background: .rgb(1, 2, 3)))
    let pane = try TmuxPane(columns: 20, rows: 2)
    let features = OutputFeatures()
    let expected = ExpectedScreen(surface, features: features, showsFaint: true)
    let rest: [(String, Bool)] = [
      ("", true), ("\u{1B}[H\u{1B}[;1;94m漢", false), ("\u{1B}[H\u{1B}[;1;2;94m漢", true),
      ("\u{1B}[2;5H\u{1B}[mx", false),
      ("\u{1B}[2;5H\u{1B}[;48;2;1;2;3ml", true), ("\u{1B}[2;1H\u{1B}[44m ", false), ("\u{1B}[2;1H\u{1B}[31;49m ", true),
      ("\u{1B}[1;20H\u{1B}[4m ", false),
    ]

    try pane.feed("\u{1B}[?7l")
    try pane.feed(FrameEncoder(size: surface.size, features: features).encode(Frame(surface: surface)))

    for (bytes, isRight) in rest {
      try pane.feed(bytes)
      #expect((expected.difference(from: try pane.cells()) == nil) == isRight, "\(bytes.debugDescription)")
    }
  }
}

extension ExpectedScreen {
  /// Describes the first difference between a pane and the expected screen, or returns nil if there is none.
  ///
  /// tmux reports characters, not columns. A row that contains clusters of disputed width is compared from both ends up
  /// to these clusters. If a row ends early, the missing cells must have no foreground and no lines, but may have any
  /// background.
  fileprivate func difference(from pane: [[ShownCell]]) -> String? {
    guard pane.count == rows.count else { return "\(pane.count) rows instead of \(rows.count)" }
    for (row, (expected, shown)) in zip(rows, pane).enumerated() {
      // Continuations are not characters. All cells of disputed width together are one gap.
      let target = expected.filter { $0 != .continuation }
      let head = Array(target.prefix { $0 != nil }.compactMap { $0 })
      var reported = shown.map { Self.visible($0) }
      if head.count == target.count {
        while reported.count < head.count, Self.mayBeMissing(head[reported.count]) {
          reported.append(head[reported.count])
        }
        if let message = Self.difference(head, reported, row) { return message }
      } else {
        if let message = Self.difference(head, Array(reported.prefix(head.count)), row) { return message }
        let tail = Array(target.reversed().prefix { $0 != nil }.compactMap { $0 }.drop { Self.mayBeMissing($0) })
        let end = Array(reported.reversed().drop { Self.mayBeMissing($0) }.prefix(tail.count))
        if let message = Self.difference(tail, end, row) { return message + ", from the right" }
      }
    }
    return nil
  }

  private static func mayBeMissing(_ cell: ShownCell) -> Bool {
    var plain = ShownCell(" ")
    plain.background = cell.background
    return cell == plain
  }

  private static func difference(_ expected: [ShownCell], _ actual: [ShownCell], _ row: Int) -> String? {
    for index in 0..<max(expected.count, actual.count) {
      var expectedCell = index < expected.count ? expected[index] : nil
      expectedCell?.width = 1
      let actualCell = index < actual.count ? actual[index] : nil
      guard expectedCell != actualCell else { continue }
      let descriptions = [actualCell, expectedCell].map { $0.map(\.description) ?? "nothing" }
      return "row \(row), character \(index): \(descriptions[0]) instead of \(descriptions[1])"
    }
    return nil
  }
}

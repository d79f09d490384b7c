import FrameReference
import TerminalHarness
import TestSupport
import TextCanvas
import Testing

@testable import TerminalIO

/// A second judge beside libvterm, one that people use every day: what a pane of tmux shows, as tmux itself tells it.
@Suite(.enabled(if: TmuxPane.executable != nil, "tmux is not installed; 'make test' installs it"))
struct `A pane of tmux` {
  // Without REP, which tmux 3.3 does for ASCII alone, and which it is therefore never sent.
  private static let features: [OutputFeatures] = [
    OutputFeatures(colourDepth: .truecolor, hasSynchronizedOutput: true),
    OutputFeatures(colourDepth: .indexed, hasLinks: false),
    OutputFeatures(colourDepth: .ansi, erasesWithBackground: false),
    OutputFeatures(colourDepth: .none, hasLinks: false),
    OutputFeatures(colourDepth: .truecolor, hasLinks: false),
  ]

  /// How many pairs of frames are tried with each set of features.
  private static let pairs = Tier.count(400, long: 4_000)

  @Test(arguments: 0..<5)
  func `shows what was changed step by step`(seed: Int) throws {
    var frames = RandomFrames(seed: UInt64(3000 + seed))
    frames.usesDisputed = seed == 4
    let features = Self.features[seed]
    let pane = try TmuxPane(columns: 60, rows: 12)
    var pairs = 0
    while pairs < Self.pairs {
      try pane.resize(
        columns: .random(in: 2...60, using: &frames.random), rows: .random(in: 1...12, using: &frames.random))
      // As the session leaves a terminal for the encoder.
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

  /// Where what was erased at the ends of rows has another colour than it should have, of which tmux tells nothing until
  /// something is written behind it.
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

  /// What tmux does in a way of its own, each with the bytes that were found to go wrong there.
  @Test func `is written to in ways that it does not take amiss`() throws {
    let style = Style(background: .indexed(4))
    let blue = Cell(background: .indexed(4))
    func surface(_ draw: (inout Surface) -> Void) -> Surface {
      var surface = Surface(columns: 20, rows: 1, filledWith: .blank)
      draw(&surface)
      return surface
    }
    let cases: [(Surface, Frame)] = [
      // Marks in the last column, which would go to the column before it.
      (surface { _ in }, Frame(surface: surface { $0.draw("e\u{301}", at: CellPoint(column: 19, row: 0)) })),
      // More cells inserted than moved, between which old ones would stay.
      (
        surface { $0.draw("abcdefgh", at: CellPoint(column: 12, row: 0)) },
        Frame(
          surface: surface { $0.draw("abc", at: CellPoint(column: 17, row: 0)) },
          shifts: [RegionShift(rect: CellRect(column: 12, row: 0, columns: 8, rows: 1), columns: 5, rows: 0)])
      ),
      // The first half of a wide character erased, and its second written, which would blank the first.
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
      // What stands there may also be unknown, as after a change of size.
      for forgets in [false, true] {
        try pane.feed("\u{1B}[m\u{1B}[?7l\u{1B}[H\u{1B}[2J")
        let encoder = FrameEncoder(size: before.size, features: features)
        try pane.feed(encoder.encode(Frame(surface: before)))
        if forgets { encoder.forgetScreen() }
        try pane.feed(encoder.encode(after))

        #expect(ExpectedScreen(after.surface, features: features).difference(from: try pane.cells()) == nil)
      }
    }
  }

  @Test func `tells where it shows something else`() throws {
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
  /// Where a pane shows something else, in words; nil where everything is right.
  ///
  /// tmux tells characters, not columns. A row with clusters whose width terminals dispute is read from both of its ends
  /// up to them; and where a row ends early, what is missing has no ink and no lines, but may have any background.
  fileprivate func difference(from pane: [[ShownCell]]) -> String? {
    guard pane.count == rows.count else { return "\(pane.count) rows instead of \(rows.count)" }
    for (row, (expected, shown)) in zip(rows, pane).enumerated() {
      // Continuations are no characters; all of what is disputed is one gap.
      let wanted = expected.filter { $0 != .continuation }
      let head = Array(wanted.prefix { $0 != nil }.compactMap { $0 })
      var told = shown.map { Self.visible($0) }
      if head.count == wanted.count {
        while told.count < head.count, Self.mayBeMissing(head[told.count]) { told.append(head[told.count]) }
        if let words = Self.difference(head, told, row) { return words }
      } else {
        if let words = Self.difference(head, Array(told.prefix(head.count)), row) { return words }
        let tail = Array(wanted.reversed().prefix { $0 != nil }.compactMap { $0 }.drop { Self.mayBeMissing($0) })
        let end = Array(told.reversed().drop { Self.mayBeMissing($0) }.prefix(tail.count))
        if let words = Self.difference(tail, end, row) { return words + ", from the right" }
      }
    }
    return nil
  }

  private static func mayBeMissing(_ cell: ShownCell) -> Bool {
    var plain = ShownCell(" ")
    plain.background = cell.background
    return cell == plain
  }

  private static func difference(_ expected: [ShownCell], _ shown: [ShownCell], _ row: Int) -> String? {
    for index in 0..<max(expected.count, shown.count) {
      var wanted = index < expected.count ? expected[index] : nil
      wanted?.width = 1
      let found = index < shown.count ? shown[index] : nil
      guard wanted != found else { continue }
      let words = [found, wanted].map { $0.map(\.description) ?? "nothing" }
      return "row \(row), character \(index): \(words[0]) instead of \(words[1])"
    }
    return nil
  }
}

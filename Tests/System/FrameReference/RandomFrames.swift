public import TestSupport
public import TextCanvas

/// Random frames, both realistic and artificial ones: styled text, coloured blanks, wide characters, combining marks,
/// lines, and shift hints that are right, nearly right or wrong.
public struct RandomFrames {
  /// The generator of random numbers.
  public var random: SplitMix64
  /// Whether emoji occur whose width differs between terminals.
  public var usesDisputed = false

  private static let words = [
    "the", "opening", "offer", "—", "négocier", "漢字", "かな", "한글", "━━━━━━━━━━━━", "│", "╭────╮", "a", "e\u{301}",
    "◐ 5 of 14", "✓", "→", "x\u{302}\u{323}", "ｗｉｄｅ", "0123456789", "      ", "…", "“quoted”",
  ]
  private static let disputed = ["👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "👍🏽", "🏳\u{FE0F}\u{200D}🌈"]
  private static let colours: [Colour] = [
    .default, .default, .default, .indexed(1), .indexed(12), .indexed(200), .indexed(244), .rgb(10, 20, 30),
    .rgb(200, 180, 90), .rgb(200, 180, 91), .hex(0xD6D9DF),
  ]
  private static let backgrounds: [Colour] = [
    .default, .default, .default, .default, .clear, .indexed(4), .indexed(236), .rgb(40, 44, 52),
  ]

  /// Creates frames for a seed.
  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

  /// Returns a random style, sometimes with a link.
  public mutating func style() -> Style {
    if random.oneIn(3) { return .plain }
    var attributes: Attributes = []
    for attribute in [Attributes.bold, .italic, .underline, .strikethrough, .reverse, .faint] where random.oneIn(6) {
      attributes.insert(attribute)
    }
    return Style(
      foreground: pick(Self.colours), background: pick(Self.backgrounds), attributes: attributes,
      link: random.oneIn(12) ? Hyperlink("https://example.org/\(Int.random(in: 0..<3, using: &random))") : nil)
  }

  /// Draws random texts at random positions.
  public mutating func scribble(on surface: inout Surface, times: Int) {
    for _ in 0..<times {
      let point = CellPoint(
        column: Int.random(in: -3..<surface.columns, using: &random),
        row: Int.random(in: 0..<surface.rows, using: &random))
      if random.oneIn(5) {
        let rect = CellRect(
          column: point.column, row: point.row, columns: Int.random(in: 1...20, using: &random),
          rows: Int.random(in: 1...3, using: &random))
        // A blank may have any foreground, which is not visible.
        let blank = Cell(Glyph(" "), style: style())
        surface.fill(rect, with: random.oneIn(2) ? blank : Cell(background: pick(Self.backgrounds)))
      } else {
        let words = usesDisputed && random.oneIn(3) ? Self.disputed : Self.words
        surface.draw(pick(words), at: point, style: style())
      }
    }
  }

  /// Returns a frame that does not depend on a previous one.
  public mutating func first(columns: Int, rows: Int) -> Frame {
    var surface = Surface(columns: columns, rows: rows, filledWith: .blank)
    scribble(on: &surface, times: Int.random(in: 0...rows * 4, using: &random))
    return Frame(surface: surface)
  }

  /// Returns a frame after another one: slightly changed, shifted or completely different. Its shift hints may be
  /// wrong.
  public mutating func next(after frame: Frame) -> Frame {
    var surface = frame.surface
    var shifts: [RegionShift] = []
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return first(columns: surface.columns, rows: surface.rows)
    case 1...5:
      let shift = randomShift(surface.size)
      move(&surface, by: shift, clearing: !random.oneIn(3))
      scribble(on: &surface, times: Int.random(in: 0...2, using: &random))
      if !random.oneIn(6) { shifts.append(shift) }
      if random.oneIn(4) { shifts.append(randomShift(surface.size)) }
    case 6:
      scribble(on: &surface, times: 1)
      shifts.append(randomShift(surface.size))
    case 7: break
    default: scribble(on: &surface, times: Int.random(in: 0...4, using: &random))
    }
    return Frame(surface: surface, shifts: shifts)
  }

  private mutating func randomShift(_ size: CellSize) -> RegionShift {
    let isWide = random.oneIn(2)
    let isHigh = random.oneIn(2)
    let column = isWide ? 0 : Int.random(in: 0..<size.columns, using: &random)
    let row = isHigh ? 0 : Int.random(in: 0..<size.rows, using: &random)
    let rect = CellRect(
      column: column, row: row, columns: isWide ? size.columns : Int.random(in: 1...size.columns, using: &random),
      rows: isHigh ? size.rows : Int.random(in: 1...size.rows, using: &random))
    let isSideways = random.oneIn(2)
    return RegionShift(
      rect: rect, columns: isSideways ? Int.random(in: -9...9, using: &random) : 0,
      rows: isSideways && !random.oneIn(5) ? 0 : Int.random(in: -3...3, using: &random))
  }

  /// Moves the content of a region. The vacated cells are cleared or remain unchanged.
  private func move(_ surface: inout Surface, by shift: RegionShift, clearing: Bool) {
    let area = shift.rect.intersection(surface.bounds)
    let copy = surface.cropped(area)
    if clearing { surface.fill(area, with: .blank) }
    surface.copy(
      copy, at: CellPoint(column: area.column + shift.columns, row: area.row + shift.rows), clippedTo: area)
  }
}

import TextCanvas

/// What can be seen of a cell: two cells of the same look need no bytes between them. Links are left out.
struct Look: Hashable {
  /// The text, a blank where there is none.
  let glyph: UInt32
  /// 1, 2 for the first half of a wide character, 0 for its second.
  let width: Int
  /// With what it is written; of a plain blank only the background counts.
  let ink: Ink

  init(_ cell: Cell) {
    width = Int(cell.width)
    glyph = max(cell.glyph.bits, 0x20)
    ink = Ink(
      foreground: cell.foreground == .clear ? .default : cell.foreground,
      background: cell.background == .clear ? .default : cell.background, attributes: cell.attributes)
  }

  /// Attributes that are seen on a blank too.
  static let onBlanks: Attributes = [.underline, .strikethrough, .reverse]

  /// Whether nothing is seen but the background.
  var isPlainBlank: Bool { glyph == 0x20 && width == 1 && ink.isUnseenOnBlanks }

  /// Whether both look the same.
  func isSame(as other: Look) -> Bool {
    if isPlainBlank && other.isPlainBlank { return ink.background == other.ink.background }
    return self == other
  }

  /// Whether it looks right when it is written with that ink.
  func isRight(with other: Ink) -> Bool {
    if isPlainBlank {
      return ink.background == other.background && other.isUnseenOnBlanks
    }
    return ink == other
  }
}

/// Two colours and attributes: with what a terminal writes.
struct Ink: Hashable {
  var foreground = Colour.default
  var background = Colour.default
  var attributes: Attributes = []

  /// Whether no attribute is seen on a blank. Compared as numbers: sets are slow in a build for debugging.
  var isUnseenOnBlanks: Bool { attributes.rawValue & Look.onBlanks.rawValue == 0 }
}

extension Ink {
  /// The parameters of the shortest SGR from one to another, `nil` where nothing differs.
  ///
  /// Source: ECMA-48, 8.3.117 SGR; xterm, "Character Attributes".
  static func change(from old: Ink, to new: Ink) -> String? {
    if old == new { return nil }
    var byDifference: [String] = []
    var wanted = old.attributes
    let weights: Attributes = [.bold, .faint]
    if !old.attributes.intersection(weights).isSubset(of: new.attributes) {
      byDifference.append("22")
      wanted.subtract(weights)
    }
    for (attribute, _, off) in codes where !weights.contains(attribute) {
      if old.attributes.contains(attribute), !new.attributes.contains(attribute) { byDifference.append(off) }
    }
    for (attribute, on, _) in codes where new.attributes.contains(attribute) && !wanted.contains(attribute) {
      byDifference.append(on)
    }
    if old.foreground != new.foreground { byDifference.append(code(new.foreground, 30)) }
    if old.background != new.background { byDifference.append(code(new.background, 40)) }

    var fromNothing = [""]
    for (attribute, on, _) in codes where new.attributes.contains(attribute) { fromNothing.append(on) }
    if new.foreground != .default { fromNothing.append(code(new.foreground, 30)) }
    if new.background != .default { fromNothing.append(code(new.background, 40)) }
    return [byDifference, fromNothing].map { $0.joined(separator: ";") }.min { $0.utf8.count < $1.utf8.count }
  }

  private static let codes: [(Attributes, on: String, off: String)] = [
    (.bold, "1", "22"), (.faint, "2", "22"), (.italic, "3", "23"), (.underline, "4", "24"), (.reverse, "7", "27"),
    (.strikethrough, "9", "29"),
  ]

  private static func code(_ colour: Colour, _ base: Int) -> String {
    switch colour.kind {
    case .default, .clear: "\(base + 9)"
    case .indexed(let index) where index < 8: "\(base + Int(index))"
    case .indexed(let index) where index < 16: "\(base + 52 + Int(index))"
    case .indexed(let index): "\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}

/// Where a cursor is; the column is `nil` behind the last one.
struct Place: Hashable {
  var row: Int
  var column: Int?
}

extension Place {
  /// The bytes of the cheapest way to another place, of all that there are in xterm and its like.
  func cost(to end: (row: Int, column: Int)) -> Int {
    func digits(_ number: Int) -> Int { String(number).utf8.count }
    /// `CSI n x`, without a number where it is 1.
    func sequence(_ number: Int) -> Int { 3 + (number == 1 ? 0 : digits(number)) }

    let absolute = 3 + (end.row == 0 ? 0 : digits(end.row + 1)) + (end.column == 0 ? 0 : 1 + digits(end.column + 1))
    let down = end.row - row
    var vertical = down == 0 ? 0 : sequence(end.row + 1)
    if down > 0 { vertical = min(vertical, down, sequence(down)) }
    if down < 0 { vertical = min(vertical, -2 * down, sequence(-down)) }

    var horizontal = sequence(end.column + 1)
    horizontal = min(horizontal, 1 + (end.column == 0 ? 0 : sequence(end.column)))
    if let column {
      let right = end.column - column
      if right == 0 { horizontal = 0 }
      if right > 0 { horizontal = min(horizontal, sequence(right)) }
      if right < 0 { horizontal = min(horizontal, -right, sequence(-right)) }
    }
    return min(absolute, vertical + horizontal)
  }
}

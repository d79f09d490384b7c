import TextCanvas

/// The visible properties of a cell. No output is needed to turn a cell into one that looks the same. Links are
/// ignored.
struct CellAppearance: Hashable {
  /// The text, or a blank if the cell is empty.
  let glyph: UInt32
  /// 1 for a narrow character, 2 for the first half of a wide one, and 0 for its second half.
  let width: Int
  /// The pen state of the cell. For a plain blank, only the background is relevant.
  let ink: PenState

  init(_ cell: Cell) {
    width = Int(cell.width)
    glyph = max(cell.glyph.bits, 0x20)
    ink = PenState(
      foreground: cell.foreground == .clear ? .default : cell.foreground,
      background: cell.background == .clear ? .default : cell.background, attributes: cell.attributes)
  }

  /// The attributes that are visible on a blank.
  static let onBlanks: Attributes = [.underline, .strikethrough, .reverse]

  /// Whether only the background is visible.
  var isPlainBlank: Bool { glyph == 0x20 && width == 1 && ink.isUnseenOnBlanks }

  /// Returns whether both cells look the same.
  func isSame(as other: CellAppearance) -> Bool {
    if isPlainBlank && other.isPlainBlank { return ink.background == other.ink.background }
    return self == other
  }

  /// Returns whether the cell looks right when it is written with a pen state.
  func isRight(with other: PenState) -> Bool {
    if isPlainBlank {
      return ink.background == other.background && other.isUnseenOnBlanks
    }
    return ink == other
  }
}

/// A pen state: the colours and attributes with which a terminal writes characters.
struct PenState: Hashable {
  var foreground = Colour.default
  var background = Colour.default
  var attributes: Attributes = []

  /// Whether no attribute is visible on a blank. Raw values are compared, since option sets are slow in debug builds.
  var isUnseenOnBlanks: Bool { attributes.rawValue & CellAppearance.onBlanks.rawValue == 0 }
}

extension PenState {
  /// Returns the parameters of the shortest SGR sequence from one pen state to another, or `nil` if they are equal.
  ///
  /// Source: ECMA-48, 8.3.117 SGR; xterm, "Character Attributes".
  static func change(from old: PenState, to new: PenState) -> String? {
    if old == new { return nil }
    var byDifference: [String] = []
    var remaining = old.attributes
    let weights: Attributes = [.bold, .faint]
    if !old.attributes.intersection(weights).isSubset(of: new.attributes) {
      byDifference.append("22")
      remaining.subtract(weights)
    }
    for (attribute, _, off) in codes where !weights.contains(attribute) {
      if old.attributes.contains(attribute), !new.attributes.contains(attribute) { byDifference.append(off) }
    }
    for (attribute, on, _) in codes where new.attributes.contains(attribute) && !remaining.contains(attribute) {
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

/// The position of the cursor. The column is `nil` after the last column.
struct Place: Hashable {
  var row: Int
  var column: Int?
}

extension Place {
  /// Returns the number of bytes of the shortest move to another position, with all sequences of xterm-compatible
  /// terminals.
  func cost(to end: (row: Int, column: Int)) -> Int {
    func digits(_ number: Int) -> Int { String(number).utf8.count }
    /// Returns the length of `CSI n x`, in which 1 is omitted.
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

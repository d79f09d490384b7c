extension Unicode.Scalar {
  /// The width of the scalar alone in columns: 0, 1 or 2.
  ///
  /// Source: East_Asian_Width of the Unicode version in `DisplayWidth.unicodeVersion`.
  public var displayWidth: Int { ScalarTraits(value).width }

  /// Whether a terminal for East Asian text may draw the scalar two columns wide. It counts as one column here.
  public var isAmbiguousWidth: Bool { ScalarTraits(value).isAmbiguous }
}

extension StringProtocol {
  /// The width of the text on one line, in columns.
  ///
  /// The rules are those of drawing: control characters count as the symbols that replace them, and omitted characters
  /// have no width.
  public var displayWidth: Int {
    let ascii = utf8.withContiguousStorageIfAvailable { $0.isVisibleAscii ? $0.count : nil } ?? nil
    if let ascii { return ascii }
    var width = 0
    for cluster in Clusters(self) { width += cluster.width }
    return width
  }

  /// The text in a form that is harmless for a terminal: control characters are replaced by visible symbols.
  /// Bidirectional controls, invisible scalars and excessive combining marks are omitted. The result is a single line.
  public var harmless: String {
    var result = ""
    for cluster in Clusters(self) { result += cluster.glyph.text }
    return result
  }
}

/// Information about the table of widths.
public enum DisplayWidth {
  /// The version of Unicode that the table is based on.
  public static var unicodeVersion: String { WidthTable.unicodeVersion }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are visible ASCII characters or spaces. Each of them is one cell, and no two of them form a
  /// cluster.
  var isVisibleAscii: Bool {
    guard let bytes = baseAddress else { return true }
    // No `for`: in a debug build, its iterator takes longer than the rest of the loop.
    var others: UInt8 = 0
    var index = 0
    while index < count {
      others |= bytes[index] &- 0x20 >= 0x5F ? 1 : 0
      index += 1
    }
    return others == 0
  }
}

/// A unit of text that is drawn as one character: a base with everything that joins it.
struct Cluster {
  /// The glyph that is drawn.
  let glyph: Glyph
  /// The width in columns, 1 or 2.
  let width: Int
  /// The start of the cluster in the text.
  let start: String.Index
  /// The end of the cluster in the text. Omitted characters after a cluster belong to it.
  let end: String.Index
}

/// The clusters of a text in order. Each of them is harmless and at least one column wide.
///
/// Each scalar with a width starts a cell, as on a terminal. Marks, selectors, skin tones, the second half of a flag,
/// parts of a Korean syllable and joined scalars belong to the previous cell. Control characters are replaced by their
/// symbols (U+2400…), and bidirectional controls and other invisible scalars are omitted. A mark without a base is
/// drawn on a dotted circle. A cluster has at most `limit` scalars; further ones are omitted.
///
/// Sources: Unicode Standard Annexes 11 (East Asian width) and 29 (clusters), Technical Standard 51 (emoji).
struct Clusters: Sequence, IteratorProtocol {
  /// The longest emoji of Unicode 15 has 10 scalars, and a flag of a region 7.
  static let limit = 12

  private let scalars: Substring.UnicodeScalarView
  private var place: String.Index
  private let end: String.Index

  init(_ text: some StringProtocol) {
    self.init(Substring(text).unicodeScalars)
  }

  init(_ scalars: Substring.UnicodeScalarView) {
    self.scalars = scalars
    place = scalars.startIndex
    end = scalars.endIndex
  }

  mutating func next() -> Cluster? {
    while place < end {
      let start = place
      let base = scalars[start]
      place = scalars.index(after: start)
      // Most of a text consists of visible ASCII characters that are followed by another ASCII character.
      if base.value >= 0x20, base.value < 0x7F {
        guard place < end else { return Cluster(base, width: 1, from: start, to: place) }
        if scalars[place].value < 0x7F { return Cluster(base, width: 1, from: start, to: place) }
      }
      let traits = ScalarTraits(base.value)
      switch traits.role {
      case .dropped, .joiner, .emojiSelector, .textSelector, .tag: continue
      case .control: return Cluster(Clusters.controlPicture(of: base), width: 1, from: start, to: place)
      default: return gather(base, traits, from: start)
      }
    }
    return nil
  }

  /// Returns the symbol for a control character. A tab is replaced by a blank, because there are no tab stops here.
  static func controlPicture(of control: Unicode.Scalar) -> Unicode.Scalar {
    switch control.value {
    case 0x09: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + control.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }

  /// Collects the scalars that join a base.
  private mutating func gather(_ base: Unicode.Scalar, _ traits: ScalarTraits, from start: String.Index) -> Cluster {
    var spelling = Spelling(base)
    var width = traits.width
    var isDisputed = traits.isDisputed
    var role = traits.role
    if width == 0 {
      spelling = Spelling("\u{25CC}")
      spelling.append(base)
      (width, isDisputed, role) = (1, role == .jamo, .combiningMark)
    }
    let isEmoji = role == .pictographic || role == .plainPictographic
    let keepsJoiners = base.value >= 0x600 && width == 1 && !isEmoji
    var emojiMayFollow = false

    while place < end {
      let scalar = scalars[place]
      if scalar.value < 0x7F && scalar.value >= 0x20 { break }
      let joining = ScalarTraits(scalar.value)
      switch joining.role {
      case .combiningMark: if spelling.append(scalar) && scalar.value == 0x20E3 { isDisputed = true }
      case .joiner:
        if isEmoji && scalar == "\u{200D}" {
          emojiMayFollow = isBeforeEmoji(scalars.index(after: place))
          if emojiMayFollow { emojiMayFollow = spelling.append(scalar) }
        } else if keepsJoiners {
          spelling.append(scalar)
        }
      case .emojiSelector:
        guard role == .pictographic || role == .keycap, spelling.append(scalar) else { break }
        if width == 1 { isDisputed = true }
        width = 2
      case .textSelector:
        guard role == .pictographic || role == .keycap, spelling.count == 1, spelling.append(scalar) else { break }
        if width == 2 { isDisputed = true }
        width = 1
      case .modifier where isEmoji && !emojiMayFollow && spelling.count < Clusters.limit:
        spelling.append(scalar)
        (width, isDisputed) = (2, true)
      case .pictographic where emojiMayFollow, .plainPictographic where emojiMayFollow:
        if spelling.append(scalar) { (width, isDisputed) = (2, true) }
        emojiMayFollow = false
      case .regional where role == .regional && spelling.count == 1:
        spelling.append(scalar)
        width = 2
      case .jamo where width == 2 && role == .text && Clusters.isHangul(base): spelling.append(scalar)
      case .tag where base.value == 0x1F3F4: if spelling.append(scalar) { isDisputed = true }
      case .tag: break
      case .dropped where joining.lineBreak == .word: break
      default: return spelling.cluster(width: width, isDisputed: isDisputed, from: start, to: place)
      }
      place = scalars.index(after: place)
    }
    return spelling.cluster(width: width, isDisputed: isDisputed, from: start, to: place)
  }

  private func isBeforeEmoji(_ index: String.Index) -> Bool {
    guard index < end else { return false }
    let role = ScalarTraits(scalars[index].value).role
    return role == .pictographic || role == .plainPictographic
  }

  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x115F).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
      || (0xAC00...0xD7A3).contains(scalar.value)
  }
}

extension Cluster {
  fileprivate init(_ scalar: Unicode.Scalar, width: Int, from start: String.Index, to end: String.Index) {
    self.init(glyph: Glyph(bits: scalar.value), width: width, start: start, end: end)
  }
}

/// The scalars of a cluster while it is read: the first one directly, further ones in an array.
private struct Spelling {
  let base: Unicode.Scalar
  var joined: [Unicode.Scalar] = []

  init(_ base: Unicode.Scalar) {
    self.base = base
  }

  var count: Int { joined.count + 1 }

  /// Appends a scalar unless the cluster is full. Returns whether it was appended.
  @discardableResult
  mutating func append(_ scalar: Unicode.Scalar) -> Bool {
    guard count < Clusters.limit else { return false }
    joined.append(scalar)
    return true
  }

  func cluster(width: Int, isDisputed: Bool, from start: String.Index, to end: String.Index) -> Cluster {
    if joined.isEmpty { return Cluster(base, width: width, from: start, to: end) }
    let scalars = [base] + joined
    if let number = GlyphTable.shared.number(of: scalars, width: width, isDisputed: isDisputed) {
      return Cluster(glyph: Glyph(bits: Glyph.tableBit | number), width: width, start: start, end: end)
    }
    return Cluster(base, width: ScalarTraits(base.value).width, from: start, to: end)
  }
}

extension Unicode.Scalar {
  /// Columns that this scalar takes alone: 0, 1 or 2.
  ///
  /// Source: East_Asian_Width of the Unicode version in `DisplayWidth.unicodeVersion`.
  public var displayWidth: Int { ScalarTraits(value).width }

  /// Whether a terminal set up for East Asian text may draw it two columns wide, while the canvas counts one.
  public var isAmbiguousWidth: Bool { ScalarTraits(value).isAmbiguous }
}

extension StringProtocol {
  /// Columns that this text takes when it is drawn on one line.
  ///
  /// The same rules as drawing: control characters count as the pictures they are shown as, and what is left out when
  /// drawn counts nothing.
  public var displayWidth: Int {
    let ascii = utf8.withContiguousStorageIfAvailable { $0.isVisibleAscii ? $0.count : nil } ?? nil
    if let ascii { return ascii }
    var width = 0
    for cluster in Clusters(self) { width += cluster.width }
    return width
  }

  /// This text as a terminal may be given it: control characters replaced by visible pictures of themselves, and
  /// bidirectional controls, invisible scalars and floods of marks left out. Stays on one line.
  public var harmless: String {
    var result = ""
    for cluster in Clusters(self) { result += cluster.glyph.text }
    return result
  }
}

/// Facts about the table of widths.
public enum DisplayWidth {
  /// The version of Unicode whose characters the canvas knows.
  public static var unicodeVersion: String { WidthTable.unicodeVersion }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether every byte is a visible ASCII character or a space: one cell each, and no cluster joins two of them.
  var isVisibleAscii: Bool {
    guard let bytes = baseAddress else { return true }
    // No `for`: in a build for debugging its iterator takes longer than all else that is done with a byte.
    var others: UInt8 = 0
    var index = 0
    while index < count {
      others |= bytes[index] &- 0x20 >= 0x5F ? 1 : 0
      index += 1
    }
    return others == 0
  }
}

/// A piece of text that is drawn as one: a base with everything that joins it.
struct Cluster {
  /// What is drawn.
  let glyph: Glyph
  /// Columns it takes, 1 or 2.
  let width: Int
  /// Where it begins in the text.
  let start: String.Index
  /// Where what follows it begins; what is dropped behind a cluster counts to it.
  let end: String.Index
}

/// The clusters of a text, in order, each harmless and with at least one column.
///
/// A cell is begun by every scalar that has columns of its own, as on a terminal; marks, selectors, skin tones, the
/// second half of a flag, parts of a Korean syllable and what a joiner joins stay with the cell before. Control
/// characters become their pictures (U+2400…), bidirectional controls and other invisible scalars are left out, a mark
/// with nothing before it stands on a dotted circle, and a cluster holds at most `limit` scalars: the rest is left out.
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
      // Most of every text: a visible ASCII character before another.
      if base.value >= 0x20, base.value < 0x7F {
        guard place < end else { return Cluster(base, width: 1, from: start, to: place) }
        if scalars[place].value < 0x7F { return Cluster(base, width: 1, from: start, to: place) }
      }
      let traits = ScalarTraits(base.value)
      switch traits.role {
      case .dropped, .joiner, .emojiSelector, .textSelector, .tag: continue
      case .control: return Cluster(Clusters.picture(of: base), width: 1, from: start, to: place)
      default: return gather(base, traits, from: start)
      }
    }
    return nil
  }

  /// What a control character is shown as. A tab is a blank here; `StyledText` knows of tab stops.
  static func picture(of control: Unicode.Scalar) -> Unicode.Scalar {
    switch control.value {
    case 0x09: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + control.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }

  /// Collects what joins a base.
  private mutating func gather(_ base: Unicode.Scalar, _ traits: ScalarTraits, from start: String.Index) -> Cluster {
    var spelling = Spelling(base)
    var width = traits.width
    var isDisputed = traits.isDisputed
    var role = traits.role
    if width == 0 {
      spelling = Spelling("\u{25CC}")
      spelling.append(base)
      (width, isDisputed, role) = (1, role == .jamo, .mark)
    }
    let isEmoji = role == .pictographic || role == .plainPictographic
    let keepsJoiners = base.value >= 0x600 && width == 1 && !isEmoji
    var emojiMayFollow = false

    while place < end {
      let scalar = scalars[place]
      if scalar.value < 0x7F && scalar.value >= 0x20 { break }
      let joining = ScalarTraits(scalar.value)
      switch joining.role {
      case .mark: if spelling.append(scalar) && scalar.value == 0x20E3 { isDisputed = true }
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

/// The scalars of a cluster while it is read: one in place, more in an array.
private struct Spelling {
  let base: Unicode.Scalar
  var joined: [Unicode.Scalar] = []

  init(_ base: Unicode.Scalar) {
    self.base = base
  }

  var count: Int { joined.count + 1 }

  /// Adds a scalar, unless the cluster is full; says whether it did.
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

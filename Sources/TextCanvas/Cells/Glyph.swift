import Synchronization

/// The character in a cell: a scalar, or the number of a cluster in a table. It takes four bytes.
///
/// A glyph can only be created from text that is harmless on a terminal: there are no glyphs for control characters.
/// Characters that would affect the terminal or change the order of text are replaced by visible ones or dropped.
public struct Glyph: Hashable, Sendable {
  /// 0 is nothing, 1 the second half of a wide character, values from 0x20 are scalars. If the highest bit is set, the
  /// others are a number in the table.
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  static let tableBit: UInt32 = 1 << 31

  /// No glyph: the content below is visible.
  public static let none = Glyph(bits: 0)

  /// The second half of a wide character. The previous cell contains the character.
  public static let continuation = Glyph(bits: 1)

  /// A space, which hides the content below it.
  public static let blank = Glyph(bits: 0x20)

  /// The replacement of a character that cannot be shown (U+FFFD).
  public static let replacement = Glyph(bits: 0xFFFD)

  /// Whether nothing is visible: ``none``, a space, or the second half of a wide character.
  public var isBlank: Bool { bits <= 0x20 }

  /// The scalar of the glyph, or `nil` for ``none``, for continuations and for clusters of several scalars.
  public var scalar: Unicode.Scalar? {
    bits >= 0x20 && bits & Glyph.tableBit == 0 ? Unicode.Scalar(bits) : nil
  }

  /// Creates the glyph of the first cluster of a text, or a blank if the text shows nothing.
  public init(_ text: String) {
    self = Clusters(text).first { _ in true }?.glyph ?? .blank
  }

  /// The width in columns: 0 for ``none`` and for continuations, otherwise 1 or 2.
  public var displayWidth: Int {
    if bits >= 0x20 && bits < 0x7F { return 1 }
    if bits <= 1 { return 0 }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).width }
    return ScalarTraits(bits).width
  }

  /// Whether the width differs between terminals, so that the cursor must be positioned again after the glyph.
  public var isDisputed: Bool {
    if bits < 0x300 { return false }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).isDisputed }
    return ScalarTraits(bits).isDisputed
  }

  /// The glyph as text. Empty for ``none`` and for continuations.
  public var text: String {
    if bits <= 1 { return "" }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).text }
    return Unicode.Scalar(bits).map { String(Character($0)) } ?? "\u{FFFD}"
  }

  /// Appends the glyph's text in UTF-8 to a buffer. Appends nothing for ``none`` and for continuations.
  @inline(__always)
  public func appendUTF8(to buffer: inout [UInt8]) {
    switch bits {
    case 0x20..<0x80: buffer.append(UInt8(truncatingIfNeeded: bits))
    case 0x80..<0x800:
      buffer.append(0xC0 | UInt8(truncatingIfNeeded: bits >> 6))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits & 0x3F))
    case 0x800..<0x1_0000:
      buffer.append(0xE0 | UInt8(truncatingIfNeeded: bits >> 12))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits >> 6 & 0x3F))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits & 0x3F))
    case 0x1_0000..<0x11_0000:
      buffer.append(0xF0 | UInt8(truncatingIfNeeded: bits >> 18))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits >> 12 & 0x3F))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits >> 6 & 0x3F))
      buffer.append(0x80 | UInt8(truncatingIfNeeded: bits & 0x3F))
    case Glyph.tableBit...: buffer.append(contentsOf: GlyphTable.shared.entry(bits & ~Glyph.tableBit).text.utf8)
    default: break
    }
  }
}

/// The clusters of several scalars that have been drawn since the program started, with their numbers.
///
/// The table only grows, up to `capacity`, and numbers stay valid while the program runs. Only text that was
/// constructed to fill the table contains more clusters. Each further cluster is replaced by its first scalar.
final class GlyphTable: Sendable {
  struct Entry: Sendable {
    let text: String
    let width: Int
    let isDisputed: Bool
  }

  private struct State {
    var numbers: [[Unicode.Scalar]: UInt32] = [:]
    var entries: [Entry] = []
  }

  static let shared = GlyphTable(capacity: 1 << 16)

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns the number of a cluster, which is added if it is new. Returns `nil` if it is new and the table is full.
  func number(of scalars: [Unicode.Scalar], width: Int, isDisputed: Bool) -> UInt32? {
    state.withLock { state in
      if let number = state.numbers[scalars] { return number }
      guard state.entries.count < capacity else { return nil }
      let number = UInt32(state.entries.count)
      state.numbers[scalars] = number
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      state.entries.append(Entry(text: String(text), width: width, isDisputed: isDisputed))
      return number
    }
  }

  func entry(_ number: UInt32) -> Entry {
    state.withLock { $0.entries[Int(number)] }
  }
}

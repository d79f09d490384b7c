import Synchronization

/// What stands in a cell: a scalar, or a cluster of scalars kept in a table; four bytes.
///
/// A glyph can only be made of text that is harmless on a terminal: there is no glyph of a control character, and
/// whatever would act on a terminal or change the order of text became visible or was dropped before.
public struct Glyph: Hashable, Sendable {
  /// 0 nothing, 1 the second half of a wide character, from 0x20 a scalar, with the top bit set a number in the table.
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  static let tableBit: UInt32 = 1 << 31

  /// No ink at all: what lies below shows through.
  public static let none = Glyph(bits: 0)

  /// The second half of a wide character; what stands there is in the cell before.
  public static let continuation = Glyph(bits: 1)

  /// A space: no ink, and what lies below is covered.
  public static let blank = Glyph(bits: 0x20)

  /// What stands for a character that cannot be shown (U+FFFD).
  public static let replacement = Glyph(bits: 0xFFFD)

  /// Whether it has no ink: nothing, a space, or the second half of a wide character.
  public var isBlank: Bool { bits <= 0x20 }

  /// The scalar, where it is one; `nil` for nothing, continuations and clusters of more scalars.
  public var scalar: Unicode.Scalar? {
    bits >= 0x20 && bits & Glyph.tableBit == 0 ? Unicode.Scalar(bits) : nil
  }

  /// Makes the glyph of the first cluster of a text; a blank where the text shows nothing.
  public init(_ text: String) {
    self = Clusters(text).first { _ in true }?.glyph ?? .blank
  }

  /// Columns it takes: 0 for nothing and for continuations, else 1 or 2.
  public var displayWidth: Int {
    if bits >= 0x20 && bits < 0x7F { return 1 }
    if bits <= 1 { return 0 }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).width }
    return ScalarTraits(bits).width
  }

  /// Whether terminals disagree about the columns it takes, so that a cursor is placed anew behind it.
  public var isDisputed: Bool {
    if bits < 0x300 { return false }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).isDisputed }
    return ScalarTraits(bits).isDisputed
  }

  /// What it looks like as text; empty for nothing and for continuations.
  public var text: String {
    if bits <= 1 { return "" }
    if bits & Glyph.tableBit != 0 { return GlyphTable.shared.entry(bits & ~Glyph.tableBit).text }
    return Unicode.Scalar(bits).map { String(Character($0)) } ?? "\u{FFFD}"
  }

  /// Appends its text in UTF-8 to a buffer; nothing for nothing and for continuations.
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

/// The clusters of more than one scalar that were drawn since the program began, each with a number.
///
/// It only grows, up to `capacity`; numbers stay valid for the life of the program. A text that holds more different
/// clusters than that was made to do so, and the rest of it is shown by the clusters' first scalars.
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

  /// Returns the number of a cluster, adding it when it is new; `nil` when it is new and the table is full.
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

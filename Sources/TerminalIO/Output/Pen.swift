import TextCanvas

/// With what the terminal writes now: two colours, attributes, a link.
struct Pen: Hashable {
  /// The ink, as ``TextCanvas/Colour``'s bits, already brought down to the terminal's colours.
  var foreground: UInt32 = 0
  /// The colour behind it, likewise.
  var background: UInt32 = 0
  /// Weight, slant and lines.
  var attributes: Attributes = []
  /// The number of the link; 0 for none.
  var link: UInt16 = 0

  /// The attributes that can be seen on a blank: underline, strikethrough and reverse.
  ///
  /// By their bits, because this is asked for every cell, and constants of another module are reached through a lock.
  @inline(__always)
  static var seenOnBlanks: Attributes { Attributes(rawValue: 0b11_1000) }

  /// Whether a blank written with this pen looks as if it were written with another; the ink is not seen on it.
  @inline(__always)
  func drawsBlankLike(_ other: Pen) -> Bool {
    background == other.background && link == other.link
      && attributes.isDisjoint(with: Self.seenOnBlanks) && other.attributes.isDisjoint(with: Self.seenOnBlanks)
  }

  /// Whether what this pen erases is a plain blank of its background.
  @inline(__always)
  var erasesPlainly: Bool { attributes.isDisjoint(with: Self.seenOnBlanks) && link == 0 }
}

extension ByteBuffer {
  /// Changes the terminal's pen with the fewest bytes: by what differs, or from its beginning.
  ///
  /// Sources: ECMA-48, 8.3.117 SGR; xterm, "Character Attributes" (90–107, 38 and 48). An empty number is 0.
  mutating func writePen(from old: Pen, to new: Pen) {
    reserve(160)
    if old.link != new.link { writeLink(new.link) }
    if old.attributes == new.attributes, writeColours(from: old, to: new) { return }
    let change = PenChange(from: old, to: new)
    if change.isNothing { return }
    writeCSI()
    if change.fromNothing < change.byDifference {
      // Each part below begins with a semicolon: before the first the empty number says 0.
      writeParts(foreground: 0, background: 0, on: new.attributes, off: [], new)
    } else {
      let start = count
      writeParts(foreground: old.foreground, background: old.background, on: change.on, off: change.off, new)
      // No number before the first semicolon here.
      base.advanced(by: start).update(from: base.advanced(by: start + 1), count: count - start - 1)
      count -= 1
    }
    write(UInt8(ascii: "m"))
  }

  /// Changes colours alone, where that is surely the shortest: none of those that change becomes the terminal's own.
  @inline(__always)
  private mutating func writeColours(from old: Pen, to new: Pen) -> Bool {
    let hasInk = old.foreground != new.foreground
    let hasPaper = old.background != new.background
    guard hasInk && new.foreground != 0 || hasPaper && new.background != 0, !hasInk || new.foreground != 0,
      !hasPaper || new.background != 0
    else { return false }
    let start = count
    write(0x1B)
    if hasInk { writeColour(new.foreground, base: 30) }
    if hasPaper { writeColour(new.background, base: 40) }
    // In place of the first semicolon.
    base[start + 1] = UInt8(ascii: "[")
    write(UInt8(ascii: "m"))
    return true
  }

  private mutating func writeParts(
    foreground: UInt32, background: UInt32, on: Attributes, off: Attributes, _ new: Pen
  ) {
    if !off.isEmpty {
      if !off.isDisjoint(with: [.bold, .faint]) { writePart(22) }
      if off.contains(.italic) { writePart(23) }
      if off.contains(.underline) { writePart(24) }
      if off.contains(.reverse) { writePart(27) }
      if off.contains(.strikethrough) { writePart(29) }
    }
    if !on.isEmpty {
      if on.contains(.bold) { writePart(1) }
      if on.contains(.faint) { writePart(2) }
      if on.contains(.italic) { writePart(3) }
      if on.contains(.underline) { writePart(4) }
      if on.contains(.reverse) { writePart(7) }
      if on.contains(.strikethrough) { writePart(9) }
    }
    if foreground != new.foreground { writeColour(new.foreground, base: 30) }
    if background != new.background { writeColour(new.background, base: 40) }
  }

  @inline(__always)
  private mutating func writePart(_ number: Int) {
    write(UInt8(ascii: ";"))
    write(number: number)
  }

  @inline(__always)
  private mutating func writeColour(_ bits: UInt32, base: Int) {
    let index = Int(bits & 255)
    switch bits >> 24 {
    case 0: writePart(base + 9)
    case 1 where index < 8: writePart(base + index)
    case 1 where index < 16: writePart(base + 60 + index - 8)
    case 1:
      writePart(base + 8)
      writePart(5)
      writePart(index)
    default:
      // `;38;2;` or `;48;2;`
      let introduction: UInt64 = base == 30 ? 0x3B32_3B38_333B : 0x3B32_3B38_343B
      UnsafeMutableRawPointer(self.base + count).storeBytes(of: introduction.littleEndian, as: UInt64.self)
      count &+= 6
      writeByte(bits >> 16 & 255)
      write(UInt8(ascii: ";"))
      writeByte(bits >> 8 & 255)
      write(UInt8(ascii: ";"))
      writeByte(bits & 255)
    }
  }

  /// `OSC 8 ; id=number ; address ST`, or without both where the link ends.
  ///
  /// The address is visible ASCII (``TextCanvas/Hyperlink`` sees to it), so it cannot end the string. The number joins
  /// the parts of a link that goes over several rows. Source: the specification "Hyperlinks in terminal emulators".
  private mutating func writeLink(_ number: UInt16) {
    guard let link = Hyperlink(number: number) else {
      write("\u{1B}]8;;\u{1B}\\" as StaticString)
      reserve(160)
      return
    }
    write("\u{1B}]8;id=\(number);\(link.address)\u{1B}\\")
    reserve(160)
  }
}

/// What differs between two pens apart from their links, and what it costs to say so.
private struct PenChange {
  /// Attributes to begin, and to end.
  let on: Attributes
  let off: Attributes
  /// Bytes of the parameters, each with its semicolon, of what differs.
  let byDifference: Int
  /// The same of everything, from a plain pen.
  let fromNothing: Int

  @inline(__always)
  init(from old: Pen, to new: Pen) {
    let lost = old.attributes.subtracting(new.attributes)
    // Bold and faint end together (22): what stays of them must be said again.
    let weights = Attributes(rawValue: 0b11)
    let endsWeight = !lost.isDisjoint(with: weights)
    on = new.attributes.subtracting(old.attributes)
      .union(endsWeight ? new.attributes.intersection(weights) : Attributes(rawValue: 0))
    off = lost
    let inkCost = Self.cost(new.foreground, bright: 3)
    let paperCost = Self.cost(new.background, bright: 4)
    byDifference =
      (old.foreground == new.foreground ? 0 : inkCost) + (old.background == new.background ? 0 : paperCost)
      + 2 * on.count + 3 * lost.subtracting(weights).count + (endsWeight ? 3 : 0)
    fromNothing =
      (new.foreground == 0 ? 0 : inkCost) + (new.background == 0 ? 0 : paperCost) + 2 * new.attributes.count
  }

  var isNothing: Bool { byDifference == 0 }

  private static func cost(_ bits: UInt32, bright: Int) -> Int {
    let index = Int(bits & 255)
    switch bits >> 24 {
    case 0: return 3
    case 1 where index < 8: return 3
    case 1 where index < 16: return bright
    case 1: return 6 + digits(index)
    default: return 8 + digits(Int(bits >> 16 & 255)) + digits(Int(bits >> 8 & 255)) + digits(index)
    }
  }
}

extension Pen {
  /// Bytes of changing this pen into another, apart from their links.
  func cost(of other: Pen) -> Int {
    let change = PenChange(from: self, to: other)
    // `CSI … m`; the first number of a difference has no semicolon.
    return change.isNothing ? 0 : min(change.byDifference - 1, change.fromNothing) + 3
  }
}

extension Attributes {
  /// How many there are.
  @inline(__always) fileprivate var count: Int { rawValue.nonzeroBitCount }
}

/// Brings colours down to those a terminal shows, the same one for the same colour always.
struct ColourReduction {
  /// The colours there are.
  let depth: ColourDepth
  // The last answers, by a few bits of the colour: a frame has few colours, and neighbours share them.
  private var keys = [UInt32](repeating: .max, count: 256)
  private var values = [UInt32](repeating: 0, count: 256)

  init(_ depth: ColourDepth) {
    self.depth = depth
  }

  /// The nearest colour there is, as ``TextCanvas/Colour``'s bits; no colour (`clear`) is the terminal's own.
  @inline(__always)
  mutating func callAsFunction(_ bits: UInt32) -> UInt32 {
    let tag = bits >> 24
    if tag == 0 || tag == 3 || depth == .none { return 0 }
    if depth == .truecolor { return bits }
    return lookUp(bits)
  }

  private mutating func lookUp(_ bits: UInt32) -> UInt32 {
    let slot = Int((bits &* 0x9E37_79B1) >> 24)
    if keys[slot] == bits { return values[slot] }
    keys[slot] = bits
    values[slot] = Colour(bits: bits).limited(to: depth).bits
    return values[slot]
  }
}

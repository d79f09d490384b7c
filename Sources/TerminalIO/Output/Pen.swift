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
    let colours = cost(foreground: old.foreground, new.foreground) + cost(background: old.background, new.background)
    let lost = old.attributes.subtracting(new.attributes)
    let gained = new.attributes.subtracting(old.attributes)
    if colours == 0 && lost.isEmpty && gained.isEmpty { return }

    let weights: Attributes = [.bold, .faint]
    // Bold and faint end together (22): what stays of them must be said again.
    let mustRestate = !lost.isDisjoint(with: weights) ? new.attributes.intersection(weights) : []
    let stepOn = gained.union(mustRestate)
    let byDifference =
      colours + 2 * stepOn.count + 3 * lost.subtracting(weights).count + (lost.isDisjoint(with: weights) ? 0 : 3)
    let fromNothing =
      cost(foreground: 0, new.foreground) + cost(background: 0, new.background) + 2 * new.attributes.count

    writeCSI()
    if fromNothing < byDifference {
      // Each part below begins with a semicolon: before the first the empty number says 0.
      writeParts(foreground: 0, background: 0, on: new.attributes, off: [], new)
    } else {
      let start = count
      writeParts(foreground: old.foreground, background: old.background, on: stepOn, off: lost, new)
      // No number before the first semicolon here.
      base.advanced(by: start).update(from: base.advanced(by: start + 1), count: count - start - 1)
      count -= 1
    }
    write(UInt8(ascii: "m"))
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
      writePart(base + 8)
      writePart(2)
      writePart(Int(bits >> 16 & 255))
      writePart(Int(bits >> 8 & 255))
      writePart(index)
    }
  }

  /// Bytes of a change of ink, each number with its semicolon.
  @inline(__always)
  private func cost(foreground old: UInt32, _ new: UInt32) -> Int {
    if old == new { return 0 }
    return colourCost(new, bright: 3)
  }

  @inline(__always)
  private func cost(background old: UInt32, _ new: UInt32) -> Int {
    if old == new { return 0 }
    return colourCost(new, bright: 4)
  }

  private func colourCost(_ bits: UInt32, bright: Int) -> Int {
    let index = Int(bits & 255)
    switch bits >> 24 {
    case 0: return 3
    case 1 where index < 8: return 3
    case 1 where index < 16: return bright
    case 1: return 6 + digits(index)
    default: return 8 + digits(Int(bits >> 16 & 255)) + digits(Int(bits >> 8 & 255)) + digits(index)
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

extension Attributes {
  /// How many there are.
  @inline(__always) fileprivate var count: Int { rawValue.nonzeroBitCount }
}

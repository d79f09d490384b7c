import TextCanvas

/// The style of the terminal's output: two colours, attributes and a link.
struct Pen: Hashable {
  /// The foreground colour as the bits of a ``TextCanvas/Colour``, already reduced to the colours of the terminal.
  var foreground: UInt32 = 0
  /// The background colour, in the same form.
  var background: UInt32 = 0
  /// The attributes.
  var attributes: Attributes = []
  /// The number of the link, or 0.
  var link: UInt16 = 0

  /// The attributes that are visible on a blank: underline, strikethrough and reverse.
  ///
  /// Given as bits, because this is used for each cell, and access to constants of another module goes through a lock.
  @inline(__always)
  static var visibleOnBlanks: Attributes { Attributes(rawValue: 0b11_1000) }

  /// Returns whether a blank that is written with this pen looks the same with another pen. The foreground colour is
  /// not visible on a blank.
  @inline(__always)
  func drawsBlankLike(_ other: Pen) -> Bool {
    background == other.background && link == other.link
      && attributes.isDisjoint(with: Self.visibleOnBlanks) && other.attributes.isDisjoint(with: Self.visibleOnBlanks)
  }

  /// Whether erased cells are plain blanks in the pen's background colour.
  @inline(__always)
  var erasesPlainly: Bool { attributes.isDisjoint(with: Self.visibleOnBlanks) && link == 0 }
}

extension ByteBuffer {
  /// Changes the terminal's pen with the fewest bytes: by the differences, or after a reset.
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
      // Each parameter starts with a semicolon. The empty parameter before the first one means 0, a reset.
      writeParameters(foreground: 0, background: 0, on: new.attributes, off: [], new)
    } else {
      let start = count
      writeParameters(foreground: old.foreground, background: old.background, on: change.on, off: change.off, new)
      // Without a reset, there must be no semicolon before the first parameter.
      base.advanced(by: start).update(from: base.advanced(by: start + 1), count: count - start - 1)
      count -= 1
    }
    write(UInt8(ascii: "m"))
  }

  /// Changes only colours, if this is certainly the shortest sequence: no changed colour becomes the default one.
  /// Returns whether it did so.
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
    // Replaces the first semicolon.
    base[start + 1] = UInt8(ascii: "[")
    write(UInt8(ascii: "m"))
    return true
  }

  private mutating func writeParameters(
    foreground: UInt32, background: UInt32, on: Attributes, off: Attributes, _ new: Pen
  ) {
    if !off.isEmpty {
      if !off.isDisjoint(with: [.bold, .faint]) { writeParameter(22) }
      if off.contains(.italic) { writeParameter(23) }
      if off.contains(.underline) { writeParameter(24) }
      if off.contains(.reverse) { writeParameter(27) }
      if off.contains(.strikethrough) { writeParameter(29) }
    }
    if !on.isEmpty {
      if on.contains(.bold) { writeParameter(1) }
      if on.contains(.faint) { writeParameter(2) }
      if on.contains(.italic) { writeParameter(3) }
      if on.contains(.underline) { writeParameter(4) }
      if on.contains(.reverse) { writeParameter(7) }
      if on.contains(.strikethrough) { writeParameter(9) }
    }
    if foreground != new.foreground { writeColour(new.foreground, base: 30) }
    if background != new.background { writeColour(new.background, base: 40) }
  }

  @inline(__always)
  private mutating func writeParameter(_ number: Int) {
    write(UInt8(ascii: ";"))
    write(number: number)
  }

  @inline(__always)
  private mutating func writeColour(_ bits: UInt32, base: Int) {
    let index = Int(bits & 255)
    switch bits >> 24 {
    case 0: writeParameter(base + 9)
    case 1 where index < 8: writeParameter(base + index)
    case 1 where index < 16: writeParameter(base + 60 + index - 8)
    case 1:
      writeParameter(base + 8)
      writeParameter(5)
      writeParameter(index)
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

  /// Writes `OSC 8 ; id=number ; address ST`, or the same without number and address to end a link.
  ///
  /// The address consists of visible ASCII (``TextCanvas/Hyperlink`` ensures this), so it cannot end the string. The
  /// number connects the parts of a link that spans several rows. Source: the specification "Hyperlinks in terminal
  /// emulators".
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

/// The differences between two pens, apart from their links, and their cost.
private struct PenChange {
  /// The attributes to switch on and off.
  let on: Attributes
  let off: Attributes
  /// The number of bytes of the parameters for the differences, each with its semicolon.
  let byDifference: Int
  /// The number of bytes of the parameters after a reset.
  let fromNothing: Int

  @inline(__always)
  init(from old: Pen, to new: Pen) {
    let lost = old.attributes.subtracting(new.attributes)
    // 22 ends both bold and faint, so the one that continues must be switched on again.
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
  /// Returns the number of bytes of the sequence that changes this pen into another one, without a change of the link.
  func cost(of other: Pen) -> Int {
    let change = PenChange(from: self, to: other)
    // `CSI … m`. The first parameter of a difference has no semicolon.
    return change.isNothing ? 0 : min(change.byDifference - 1, change.fromNothing) + 3
  }
}

extension Attributes {
  /// The number of attributes.
  @inline(__always) fileprivate var count: Int { rawValue.nonzeroBitCount }
}

/// Reduces colours to those of the terminal. The same colour always has the same result.
struct ColourReduction {
  /// The colours of the terminal.
  let colourDepth: ColourDepth
  // The last results, by a hash of the colour. A frame has few colours, and adjacent cells often share them.
  private var keys = [UInt32](repeating: .max, count: 256)
  private var values = [UInt32](repeating: 0, count: 256)

  init(_ depth: ColourDepth) {
    self.colourDepth = depth
  }

  /// Returns the nearest available colour as the bits of a ``TextCanvas/Colour``. `clear` becomes the terminal's
  /// default colour.
  @inline(__always)
  mutating func callAsFunction(_ bits: UInt32) -> UInt32 {
    let tag = bits >> 24
    if tag == 0 || tag == 3 || colourDepth == .none { return 0 }
    if colourDepth == .truecolor { return bits }
    return lookUp(bits)
  }

  private mutating func lookUp(_ bits: UInt32) -> UInt32 {
    let slot = Int((bits &* 0x9E37_79B1) >> 24)
    if keys[slot] == bits { return values[slot] }
    keys[slot] = bits
    values[slot] = Colour(bits: bits).limited(to: colourDepth).bits
    return values[slot]
  }
}

/// Lays cells over others, half seen, by mixing colours.
///
/// The law, for a strength a of what is above, b below and c the background that covers it (that of above, or of below
/// where above has none): the background is b + a (c - b); ink from above is b + a (ink - b); ink from below, which is
/// being covered, is c + (1 - a) (ink - c). Where both have ink, the stronger is seen.
struct ColourMixer {
  private let page: PageColours
  /// The strength of what is above, in 256ths.
  private let strength: UInt32
  /// 1 where what is above is the stronger, else 0.
  private let isStrong: UInt32

  init(page: PageColours, opacity: Double) {
    self.page = page
    strength = UInt32((max(0, min(1, opacity)) * 256).rounded())
    isStrong = strength >= 128 ? 1 : 0
  }

  /// Mixes a stretch of cells.
  func mix(_ above: UnsafePointer<Cell>, over below: UnsafeMutablePointer<Cell>, count: Int) {
    let rawAbove = UnsafeRawPointer(above)
    let rawBelow = UnsafeMutableRawPointer(below)
    for step in 0..<count {
      let top = rawAbove.loadUnaligned(fromByteOffset: step &* 16, as: SIMD4<UInt32>.self)
      let bottom = rawBelow.loadUnaligned(fromByteOffset: step &* 16, as: SIMD4<UInt32>.self)
      if top.x == 0 && top.z == Colour.clear.bits { continue }
      let isClear = top.z == Colour.clear.bits
      let tags = (isClear ? 0 : top.z) | top.y | bottom.y | bottom.z
      if (top.w | bottom.w) & Cell.reverseWord | tags & ColourMixer.numberedOrClear == 0 {
        let mixed = mix(top, over: bottom, isClear: isClear)
        rawBelow.storeBytes(of: mixed, toByteOffset: step &* 16, as: SIMD4<UInt32>.self)
      } else {
        below[step] = mixSlowly(above[step], over: below[step])
      }
    }
  }

  /// The bit of a colour's tag that numbered colours and `clear` have.
  private static let numberedOrClear: UInt32 = 1 << 24

  /// Mixes cells of any colours, reversed or not, after making plain ones of them.
  @inline(never)
  private func mixSlowly(_ above: Cell, over below: Cell) -> Cell {
    let isClear = above.background == .clear && !above.attributes.contains(.reverse)
    var result = Cell(words: mix(plain(above).words, over: plain(below).words, isClear: isClear))
    // A background that both share stays what it was: nobody knows what a numbered colour looks like.
    let shares = isClear || above.background == below.background && !above.attributes.contains(.reverse)
    if shares && !below.attributes.contains(.reverse) { result.background = below.background }
    return result
  }

  /// The same cell with colours by their parts or `default`, and without `reverse`.
  private func plain(_ cell: Cell) -> Cell {
    var result = cell
    result.foreground = cell.foreground.rgbNumber.map(Colour.hex) ?? .default
    result.background = cell.background.rgbNumber.map(Colour.hex) ?? .default
    guard cell.attributes.contains(.reverse) else { return result }
    result.attributes.remove(.reverse)
    let (ink, paper) = (result.foreground.rgbNumber, result.background.rgbNumber)
    result.foreground = .hex(paper ?? page.background)
    result.background = .hex(ink ?? page.foreground)
    return result
  }

  /// Mixes one cell with another, both as words. Text and blanks follow each other in no order that a processor could
  /// guess, so what is seen is chosen by masks, not by branches.
  @inline(__always)
  private func mix(
    _ above: SIMD4<UInt32>, over below: SIMD4<UInt32>, isClear: Bool
  ) -> SIMD4<UInt32> {
    let cover = isClear ? below.z : above.z
    let aboveInk = Cell.inkBit(above)
    let belowInk = Cell.inkBit(below)
    if aboveInk | belowInk == 0 && cover == below.z && below.x != 0 { return below }
    let isAbove = 0 &- (aboveInk & (isStrong | (belowInk ^ 1)))
    var seen = below ^ ((above ^ below) & SIMD4(repeating: isAbove))
    let behind = cover ^ ((below.z ^ cover) & isAbove)
    let rest = 256 &- strength
    let seenStrength = rest ^ ((strength ^ rest) & isAbove)
    let mixture = mixed(number(behind, page.background), number(seen.y, page.foreground), seenStrength)
    seen.y ^= (seen.y ^ mixture) & (0 &- (aboveInk | belowInk))
    seen.z =
      cover == below.z
      ? cover : mixed(number(below.z, page.background), number(cover, page.background), strength)
    seen.x = seen.x == 0 ? 0x20 : seen.x
    return seen
  }

  /// Red, green and blue of a colour by its parts; `known` is what stands for the terminal's own.
  @inline(__always)
  private func number(_ bits: UInt32, _ known: UInt32) -> UInt32 {
    bits == 0 ? known : bits & 0xFF_FFFF
  }

  /// The bits of a mixture. Red and blue are mixed in one go: there are eight free bits above each.
  @inline(__always)
  private func mixed(_ from: UInt32, _ to: UInt32, _ strength: UInt32) -> UInt32 {
    let rest = 256 &- strength
    let redBlue = ((from & 0xFF00FF) &* rest &+ (to & 0xFF00FF) &* strength &+ 0x800080) >> 8 & 0xFF00FF
    let green = ((from & 0xFF00) &* rest &+ (to & 0xFF00) &* strength &+ 0x8000) >> 8 & 0xFF00
    return 2 << 24 | redBlue | green
  }
}

extension Cell {
  /// Whether there is something to be seen in it apart from its background; both halves of a wide character have ink.
  var hasInk: Bool { Cell.inkBit(words) == 1 }

  /// The cell as four words: glyph, foreground, background, and attributes, width and link in one.
  @inline(__always)
  fileprivate var words: SIMD4<UInt32> {
    SIMD4(
      glyph.bits, foreground.bits, background.bits,
      UInt32(attributes.rawValue) | UInt32(width) << 8 | UInt32(linkNumber) << 16)
  }

  @inline(__always)
  fileprivate init(words: SIMD4<UInt32>) {
    self.init(
      glyph: Glyph(bits: words.x), foreground: Colour(bits: words.y), background: Colour(bits: words.z),
      attributes: Attributes(rawValue: UInt8(truncatingIfNeeded: words.w)),
      width: UInt8(truncatingIfNeeded: words.w >> 8), linkNumber: UInt16(truncatingIfNeeded: words.w >> 16))
  }

  fileprivate static let reverseWord = UInt32(Attributes.reverse.rawValue)

  /// 1 where a cell has ink, else 0.
  @inline(__always)
  fileprivate static func inkBit(_ words: SIMD4<UInt32>) -> UInt32 {
    (words.x > 0x20 ? 1 : 0) | (words.w & 0xFF00 == 0 ? 1 : 0)
  }
}

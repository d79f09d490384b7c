/// Blends partially transparent cells over others by mixing their colours.
///
/// For an opacity a of the upper cell, the lower background b, and the background c that covers it (the upper
/// background, or the lower one if the upper is clear): the background is b + a (c - b); the upper foreground is b + a
/// (foreground - b); the lower foreground, which is being covered, is c + (1 - a) (foreground - c). If both cells have
/// visible glyphs, the one with the higher opacity is shown.
struct ColourMixer {
  private let page: PageColours
  /// The opacity of the upper cells, in 256ths.
  private let strength: UInt32
  /// 1 if the glyphs of the upper cells take precedence, otherwise 0.
  private let isStrong: UInt64

  init(page: PageColours, opacity: Double) {
    self.page = page
    strength = UInt32(nearestCell(max(0, min(1, opacity)) * 256))
    isStrong = strength >= 128 ? 1 : 0
  }

  /// Blends consecutive cells.
  ///
  /// Colours are mixed again only if they differ from those of the previous cells.
  func mix(_ above: UnsafePointer<Cell>, over below: UnsafeMutablePointer<Cell>, count: Int) {
    var offset = 0
    while offset < count {
      let top = PackedCell(above + offset)
      let bottom = PackedCell(below + offset)
      let colours = mixed(top: top, bottom: bottom)
      if colours.isPlain {
        offset = mix(above, over: below, from: offset, count: count, colours)
      } else {
        below[offset] = mixSlowly(above[offset], over: below[offset])
        offset += 1
      }
    }
  }

  /// Blends cells as long as they have the same plain colours as the first one. Returns the index of the first cell
  /// with other colours.
  ///
  /// The order of text and blanks is unpredictable for a processor, so masks instead of branches choose the visible
  /// glyph.
  private func mix(
    _ above: UnsafePointer<Cell>, over below: UnsafeMutablePointer<Cell>, from start: Int, count: Int,
    _ colours: MixedColours
  ) -> Int {
    var offset = start
    let isStrong = isStrong
    while offset < count {
      let top = PackedCell(above + offset)
      let bottom = PackedCell(below + offset)
      guard top.differs(from: colours.top) | bottom.differs(from: colours.bottom) == 0 else { return offset }
      if !(colours.isClear && top.glyph == 0) {
        let isTop = top.visibleBit & (isStrong | (bottom.visibleBit ^ 1))
        // All ones if the upper glyph is shown.
        let mask = 0 &- isTop
        let low = (bottom.low ^ ((bottom.low ^ top.low) & mask)) & 0xFFFF_FFFF
        let high = (bottom.high ^ ((bottom.high ^ top.high) & mask)) & ~0xFFFF_FFFF
        // The lower cell shows a blank if it has no glyph.
        let blank = (bottom.glyph == 0 ? 0x20 : 0) & ~mask
        let foreground = colours.bottomForeground ^ (colours.foregroundDifference & mask)
        PackedCell.store(low: low | blank | foreground, high: high | colours.background, below + offset)
      }
      offset &+= 1
    }
    return offset
  }

  /// The mixed colours of two cells.
  private struct MixedColours {
    /// The upper and lower cell whose colours were mixed.
    var top: PackedCell
    var bottom: PackedCell
    /// Whether the upper background is clear.
    var isClear = false
    /// Whether all colours are default or RGB colours, and no cell is reversed.
    var isPlain = false
    /// The foreground if the lower glyph is shown, and the bits that differ if the upper glyph is shown. Both are in
    /// the upper half, as in a cell.
    var bottomForeground: UInt64 = 0
    var foregroundDifference: UInt64 = 0
    /// The background, in the lower half.
    var background: UInt64 = 0
  }

  @inline(never)
  private func mixed(top: PackedCell, bottom: PackedCell) -> MixedColours {
    var result = MixedColours(top: top, bottom: bottom)
    result.isClear = top.background == Colour.clear.bits
    let tags = (result.isClear ? 0 : top.background) | top.foreground | bottom.foreground | bottom.background
    result.isPlain = tags & ColourMixer.numberedOrClear == 0 && (top.high | bottom.high) & PackedCell.reverse == 0
    let upperBackground = result.isClear ? bottom.background : top.background
    result.background = UInt64(
      upperBackground == bottom.background
        ? upperBackground : blendedBackground(bottom.background, under: upperBackground))
    let bottomInk = blendedForeground(bottom.foreground, on: upperBackground, 256 &- strength)
    result.bottomForeground = UInt64(bottomInk) << 32
    result.foregroundDifference =
      UInt64(bottomInk ^ blendedForeground(top.foreground, on: bottom.background, strength)) << 32
    return result
  }

  private func blendedBackground(_ below: UInt32, under upperBackground: UInt32) -> UInt32 {
    mixed(number(below, page.background), number(upperBackground, page.background), strength)
  }

  private func blendedForeground(_ foreground: UInt32, on background: UInt32, _ strength: UInt32) -> UInt32 {
    mixed(number(background, page.background), number(foreground, page.foreground), strength)
  }

  /// The bit of a colour's tag that is set for numbered colours and `clear`.
  private static let numberedOrClear: UInt32 = 1 << 24

  /// Blends cells with any colours, reversed or not, after converting them to plain ones.
  @inline(never)
  private func mixSlowly(_ above: Cell, over below: Cell) -> Cell {
    let isClear = above.background == .clear && !above.attributes.contains(.reverse)
    var top = plain(above)
    var result = plain(below)
    if isClear { top.background = .clear }
    mix(&top, over: &result, count: 1)
    // A common background stays unchanged, because the appearance of a numbered colour is unknown.
    let shares = isClear || above.background == below.background && !above.attributes.contains(.reverse)
    if shares && !below.attributes.contains(.reverse) { result.background = below.background }
    return result
  }

  /// Returns the cell with RGB or default colours and without ``Attributes/reverse``.
  private func plain(_ cell: Cell) -> Cell {
    var result = cell
    result.foreground = cell.foreground.rgbNumber.map(Colour.hex) ?? .default
    result.background = cell.background.rgbNumber.map(Colour.hex) ?? .default
    guard cell.attributes.contains(.reverse) else { return result }
    result.attributes.remove(.reverse)
    let (foreground, background) = (result.foreground.rgbNumber, result.background.rgbNumber)
    result.foreground = .hex(background ?? page.background)
    result.background = .hex(foreground ?? page.foreground)
    return result
  }

  /// Returns red, green and blue of an RGB colour. `fallback` replaces the terminal's default colour.
  @inline(__always)
  private func number(_ bits: UInt32, _ fallback: UInt32) -> UInt32 {
    bits == 0 ? fallback : bits & 0xFF_FFFF
  }

  /// Returns the bits of a mixture. Red and blue are mixed at once, because there are eight unused bits above each.
  @inline(__always)
  private func mixed(_ from: UInt32, _ to: UInt32, _ strength: UInt32) -> UInt32 {
    let complement = 256 &- strength
    let redBlue = ((from & 0xFF00FF) &* complement &+ (to & 0xFF00FF) &* strength &+ 0x800080) >> 8 & 0xFF00FF
    let green = ((from & 0xFF00) &* complement &+ (to & 0xFF00) &* strength &+ 0x8000) >> 8 & 0xFF00
    return 2 << 24 | redBlue | green
  }
}

extension Cell {
  /// Whether the cell shows anything apart from its background. Both halves of a wide character count as visible.
  var isVisible: Bool {
    glyph.bits > 0x20 || width == 0 || !attributes.isDisjoint(with: [.underline, .strikethrough])
  }
}

/// A cell as the two words of its memory: glyph and foreground in one; background, attributes, width and link in the
/// other.
private struct PackedCell {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  init(_ cell: UnsafeRawPointer) {
    low = UInt64(littleEndian: cell.loadUnaligned(as: UInt64.self))
    high = UInt64(littleEndian: cell.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  @inline(__always)
  static func store(low: UInt64, high: UInt64, _ cell: UnsafeMutableRawPointer) {
    cell.storeBytes(of: low.littleEndian, as: UInt64.self)
    cell.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
  }

  @inline(__always) var glyph: UInt32 { UInt32(truncatingIfNeeded: low) }
  var foreground: UInt32 { UInt32(truncatingIfNeeded: low >> 32) }
  var background: UInt32 { UInt32(truncatingIfNeeded: high) }

  /// Returns 0 if both cells have the same colours, and both or neither of them are reversed.
  @inline(__always)
  func differs(from other: PackedCell) -> UInt64 {
    (low ^ other.low) >> 32 | (high ^ other.high) & (0xFFFF_FFFF | PackedCell.reverse)
  }

  /// 1 if the cell is visible, otherwise 0. A cell is visible if it contains a glyph other than a blank, a line, or the
  /// second half of a wide character. The width of such a second half is not 1.
  @inline(__always) var visibleBit: UInt64 {
    (glyph > 0x20 ? 1 : 0) | ((high ^ PackedCell.single) & PackedCell.notBlank == 0 ? 0 : 1)
  }

  static let reverse = UInt64(Attributes.reverse.rawValue) << 32
  /// The width of a cell of one column, and the bits that differ in a visible cell.
  private static let single: UInt64 = 1 << 40
  private static let notBlank =
    0xFF << 40 | UInt64(Attributes.underline.rawValue | Attributes.strikethrough.rawValue) << 32
}

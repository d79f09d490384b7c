extension Surface {
  /// Lays another surface over this one, half seen.
  ///
  /// Where both have ink, the stronger of the two is drawn; ink that is being covered fades away.
  ///
  /// - Parameters:
  ///   - source: What is laid over.
  ///   - point: Where its top left cell goes; may lie outside.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  ///   - opacity: 0, nothing of it is seen, to 1, as `overlay`.
  ///   - fading: How what is half seen is drawn.
  public mutating func blend(
    _ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil, opacity: Double, fading: Fading
  ) {
    guard opacity > 0 else { return }
    guard opacity < 1 else {
      overlay(source, at: point, clippedTo: clip)
      return
    }
    switch fading {
    case .blend(let page):
      var mixer = ColourMixer(page: page, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above in mixer.mix(above, over: below) }
    case .ramp(let ramp):
      var fader = RampFader(ramp: ramp, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above in fader.fade(above, over: below) }
    }
  }
}

/// Mixes cells by their colours; remembers the last mixture, since neighbours mostly have the same colours.
struct ColourMixer {
  let page: PageColours
  /// The strength of what is above, in 256ths.
  let strength: UInt32

  private var inkKey: (UInt64, UInt32)? = nil
  private var inkMixture = Colour.default
  private var pageKey: UInt64? = nil
  private var pageMixture = Colour.default

  init(page: PageColours, opacity: Double) {
    self.page = page
    strength = UInt32((max(0, min(1, opacity)) * 256).rounded())
  }

  @inline(__always)
  mutating func mix(_ above: Cell, over below: Cell) -> Cell {
    if above.isClear { return below }
    let top = straight(above)
    let bottom = straight(below)
    let background = top.background == .clear ? bottom.background : mixBackground(bottom.background, top.background)
    let aboveHasInk = !top.glyph.isBlank || top.isContinuation
    let belowHasInk = !bottom.glyph.isBlank || bottom.isContinuation
    if aboveHasInk && (strength >= 128 || !belowHasInk) {
      var result = top
      result.background = background
      result.foreground = mixInk(bottom.background, top.foreground, strength)
      return result
    }
    var result = bottom
    result.background = background
    if belowHasInk {
      let cover = top.background == .clear ? bottom.background : top.background
      result.foreground = mixInk(cover, bottom.foreground, 256 - strength)
    }
    if result.glyph == .none { result.glyph = .blank }
    return result
  }

  /// The same cell with its colours exchanged instead of the attribute that asks for it.
  @inline(__always)
  private func straight(_ cell: Cell) -> Cell {
    guard cell.attributes.contains(.reverse) else { return cell }
    var result = cell
    result.attributes.remove(.reverse)
    result.foreground = Colour.hex(rgb(cell.background, default: page.background))
    result.background = Colour.hex(rgb(cell.foreground, default: page.foreground))
    return result
  }

  @inline(__always)
  private mutating func mixBackground(_ below: Colour, _ above: Colour) -> Colour {
    if below == above { return above }
    let key = UInt64(below.bits) << 32 | UInt64(above.bits)
    if pageKey != key {
      pageKey = key
      pageMixture = mixed(
        rgb(below, default: page.background), rgb(above, default: page.background), strength)
    }
    return pageMixture
  }

  @inline(__always)
  private mutating func mixInk(_ paper: Colour, _ ink: Colour, _ strength: UInt32) -> Colour {
    let key = UInt64(paper.bits) << 32 | UInt64(ink.bits)
    if let inkKey, inkKey == (key, strength) { return inkMixture }
    inkKey = (key, strength)
    inkMixture = mixed(rgb(paper, default: page.background), rgb(ink, default: page.foreground), strength)
    return inkMixture
  }

  private func rgb(_ colour: Colour, default known: UInt32) -> UInt32 {
    colour.rgbNumber ?? known
  }

  private func mixed(_ from: UInt32, _ to: UInt32, _ strength: UInt32) -> Colour {
    var result: UInt32 = 0
    for shift in [UInt32(16), 8, 0] {
      let one = from >> shift & 0xFF
      let other = to >> shift & 0xFF
      result |= ((one * (256 - strength) + other * strength + 128) >> 8) << shift
    }
    return .hex(result)
  }
}

/// Fades cells down a ramp of styles; remembers the last step.
struct RampFader {
  let ramp: FadeRamp
  let opacity: Double

  private var risingKey: Style? = nil
  private var rising: Style? = nil
  private var fallingKey: Style? = nil
  private var falling: Style? = nil

  init(ramp: FadeRamp, opacity: Double) {
    self.ramp = ramp
    self.opacity = opacity
  }

  mutating func fade(_ above: Cell, over below: Cell) -> Cell {
    if above.isClear { return below }
    let covers = opacity >= 0.5
    let background = above.background != .clear && covers ? above.background : below.background
    let aboveHasInk = !above.glyph.isBlank || above.isContinuation
    let belowHasInk = !below.glyph.isBlank || below.isContinuation
    var result: Cell
    if aboveHasInk && (covers || !belowHasInk) {
      if risingKey != above.style { (risingKey, rising) = (above.style, ramp.style(above.style, opacity)) }
      guard let rising else { return belowHasInk ? below : below.asBlank }
      result = above
      result.style = rising
    } else if belowHasInk {
      if fallingKey != below.style { (fallingKey, falling) = (below.style, ramp.style(below.style, 1 - opacity)) }
      result = falling == nil ? below.asBlank : below
      if let falling { result.style = falling }
    } else {
      result = below.asBlank
    }
    result.background = background
    return result
  }
}

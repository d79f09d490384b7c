/// The few opacities that are drawn. With few opacities, runs of one colour stay long and frames stay small.
public struct OpacityLevels: Hashable, Sendable {
  /// The levels from 0 to 1 in ascending order.
  public let levels: [Double]

  /// Eighths, suitable for most layers.
  public static let eighths = OpacityLevels((1..<8).map { Double($0) / 8 })

  /// 0, 0.3, 0.6 and 1, for large areas of text.
  public static let four = OpacityLevels([0.3, 0.6])

  /// Creates levels. 0 and 1 are always included, and values outside 0…1 are ignored.
  public init(_ levels: [Double]) {
    self.levels = Set(levels.filter { $0 > 0 && $0 < 1 }).union([0, 1]).sorted()
  }

  /// Returns the nearest level, or the higher one if two levels are equally near. NaN counts as 1.
  public func nearest(to opacity: Double) -> Double {
    guard opacity == opacity else { return 1 }
    return levels.reversed().min { abs($0 - opacity) < abs($1 - opacity) } ?? 1
  }
}

/// How partially transparent content is drawn.
public enum Fading: Sendable {
  /// Mixes colours with the content below. The default colours of the page are given, so that `Colour.default` can be
  /// mixed too.
  case blend(page: PageColours)
  /// Replaces styles by fainter ones, for a page whose default colours are unknown.
  case ramp(FadeRamp)
}

/// The colours of a terminal's `default`, as red, green and blue, `0xRRGGBB`.
public struct PageColours: Hashable, Sendable {
  /// The default foreground colour.
  public var foreground: UInt32
  /// The default background colour.
  public var background: UInt32

  /// Creates a pair of colours. The highest eight bits are ignored.
  public init(foreground: UInt32, background: UInt32) {
    self.foreground = foreground & 0xFF_FFFF
    self.background = background & 0xFF_FFFF
  }
}

/// Fades a style without mixing colours.
public struct FadeRamp: Sendable {
  /// Returns the style for an opacity between 0 and 1, or `nil` if the content is invisible.
  public let style: @Sendable (_ style: Style, _ opacity: Double) -> Style?

  /// Creates a ramp from a function, which returns `nil` if the content is invisible.
  public init(_ style: @escaping @Sendable (_ style: Style, _ opacity: Double) -> Style?) {
    self.style = style
  }

  /// Returns a ramp with two fainter styles: the original style from opacity 0.8 on, `quiet` from 0.45, `faint` from
  /// 0.15, and nothing below.
  ///
  /// Text never becomes brighter while it fades: `faint` text stays unchanged, and if `quiet` is the terminal's default
  /// foreground, coloured text keeps its colour and only stops being bold.
  public static func roles(quiet: Style, faint: Style) -> FadeRamp {
    FadeRamp { style, opacity in
      if opacity >= 0.8 { return style }
      guard opacity >= 0.15 else { return nil }
      let isFaint = style.foreground == faint.foreground && style.attributes == faint.attributes
      var faded = opacity >= 0.45 && !isFaint ? quiet : faint
      if faded.foreground == .default, faded.attributes.isEmpty, style.foreground != .default {
        faded = style
        faded.attributes.remove(.bold)
      }
      faded.background = style.background
      faded.link = style.link
      return faded
    }
  }

  /// A ramp without colours: the terminal's faint attribute below 0.8, nothing below 0.15.
  public static let faint = FadeRamp.roles(
    quiet: Style(attributes: .faint), faint: Style(attributes: .faint))
}

/// Fades cells with a ramp. Caches the last styles.
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
    let aboveHasInk = above.isVisible
    let belowHasInk = below.isVisible
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

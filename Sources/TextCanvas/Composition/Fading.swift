/// The few opacities that are drawn, so that runs of one colour stay whole and a frame stays small.
public struct OpacityLevels: Hashable, Sendable {
  /// The levels from 0 to 1, rising.
  public let levels: [Double]

  /// Eighths: for layers in general.
  public static let eighths = OpacityLevels((1..<8).map { Double($0) / 8 })

  /// Nothing, 0.3, 0.6 and everything: for browsing.
  public static let four = OpacityLevels([0.3, 0.6])

  /// Makes levels; 0 and 1 always belong to them, and what lies outside 0…1 is left out.
  public init(_ levels: [Double]) {
    self.levels = Set(levels.filter { $0 > 0 && $0 < 1 }).union([0, 1]).sorted()
  }

  /// The level nearest to an opacity, the higher of two that are equally near; what is not a number counts as 1.
  public func nearest(to opacity: Double) -> Double {
    guard opacity == opacity else { return 1 }
    return levels.reversed().min { abs($0 - opacity) < abs($1 - opacity) } ?? 1
  }
}

/// How something half seen is drawn.
public enum Fading: Sendable {
  /// Mixes its colours with what is below. The page's own colours are known, so that `Colour.default` can be mixed too.
  case blend(page: PageColours)
  /// The page's colours are unknown: goes down a ramp of styles, from what is written to nothing.
  case ramp(FadeRamp)
}

/// The colours that a terminal's `default` stands for; each as red, green and blue, `0xRRGGBB`.
public struct PageColours: Hashable, Sendable {
  /// The ink.
  public var foreground: UInt32
  /// The page.
  public var background: UInt32

  /// Makes a pair of colours; bits above 24 are ignored.
  public init(foreground: UInt32, background: UInt32) {
    self.foreground = foreground & 0xFF_FFFF
    self.background = background & 0xFF_FFFF
  }
}

/// A way from a style to nothing in words of style, without mixing colours.
public struct FadeRamp: Sendable {
  /// What a style becomes at an opacity between 0 and 1; `nil` where nothing is to be seen of it.
  public let style: @Sendable (_ style: Style, _ opacity: Double) -> Style?

  /// Makes a ramp.
  public init(_ style: @escaping @Sendable (_ style: Style, _ opacity: Double) -> Style?) {
    self.style = style
  }

  /// A ramp of roles: the style itself from 0.8 on, `quiet` from 0.45, `faint` from 0.15, below that nothing.
  ///
  /// Nothing becomes brighter as it goes: what is `faint` stays so, and where `quiet` is the terminal's own ink, what has
  /// a colour keeps it and only loses its weight.
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

  /// A ramp that needs no colours: the terminal's faint text below 0.8, nothing below 0.15.
  public static let faint = FadeRamp.roles(
    quiet: Style(attributes: .faint), faint: Style(attributes: .faint))
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
    let aboveHasInk = above.hasInk
    let belowHasInk = below.hasInk
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

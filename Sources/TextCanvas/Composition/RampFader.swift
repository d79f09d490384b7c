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

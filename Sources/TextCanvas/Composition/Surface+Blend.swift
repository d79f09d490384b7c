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
      let mixer = ColourMixer(page: page, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above, count in
        mixer.mix(above, over: below, count: count)
      }
    case .ramp(let ramp):
      var fader = RampFader(ramp: ramp, opacity: opacity)
      transfer(source, at: point, clippedTo: clip) { below, above, count in
        for step in 0..<count { below[step] = fader.fade(above[step], over: below[step]) }
      }
    }
  }
}

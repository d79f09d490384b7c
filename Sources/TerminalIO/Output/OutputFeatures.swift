package import TextCanvas

/// What the encoder may use and must heed.
package struct OutputFeatures: Hashable, Sendable {
  /// The colours that are sent; others become the nearest of these.
  package var colourDepth: ColourDepth
  /// Whether all characters are sent. Otherwise those beyond ASCII are replaced by similar ASCII characters, unless the
  /// font has them.
  package var isUnicode: Bool
  /// The characters that are sent although `isUnicode` is `false`; `nil` for ASCII only.
  package var font: ConsoleFont?
  /// Whether frames are wrapped in synchronized output.
  package var hasSynchronizedOutput: Bool
  /// Whether a character may be repeated on demand (REP).
  package var repeatsCharacters: Bool
  /// Whether rows are scrolled on demand (SU, SD).
  package var scrollsOnDemand: Bool
  /// Whether what is erased gets the pen's background.
  package var erasesWithBackground: Bool
  /// Whether links are sent (OSC 8).
  package var hasLinks: Bool
  /// Whether the terminal draws ambiguous characters two columns wide.
  package var ambiguousIsWide: Bool

  /// Makes a set of features; by default those of a present-day terminal, without what must first be asked for.
  package init(
    colourDepth: ColourDepth = .truecolor, isUnicode: Bool = true, font: ConsoleFont? = nil,
    hasSynchronizedOutput: Bool = false,
    repeatsCharacters: Bool = false, scrollsOnDemand: Bool = true, erasesWithBackground: Bool = true,
    hasLinks: Bool = true, ambiguousIsWide: Bool = false
  ) {
    self.colourDepth = colourDepth
    self.isUnicode = isUnicode
    self.font = font
    self.hasSynchronizedOutput = hasSynchronizedOutput
    self.repeatsCharacters = repeatsCharacters
    self.scrollsOnDemand = scrollsOnDemand
    self.erasesWithBackground = erasesWithBackground
    self.hasLinks = hasLinks
    self.ambiguousIsWide = ambiguousIsWide
  }

  /// Makes the features of a terminal as far as it is known.
  package init(_ capabilities: Capabilities) {
    self.init(
      colourDepth: capabilities.colourDepth, isUnicode: capabilities.drawsAllCharacters,
      font: capabilities.isUnicode ? capabilities.font : nil,
      hasSynchronizedOutput: capabilities.hasSynchronizedOutput, repeatsCharacters: capabilities.repeatsCharacters,
      scrollsOnDemand: capabilities.scrollsOnDemand, erasesWithBackground: capabilities.erasesWithBackground,
      hasLinks: capabilities.hasLinks,
      ambiguousIsWide: capabilities.ambiguousWidth == 2)
  }
}

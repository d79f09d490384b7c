package import TextCanvas

/// The features that the encoder may use, and the properties of the terminal that it must respect.
package struct OutputFeatures: Hashable, Sendable {
  /// The colours that are sent. Other colours are replaced by the nearest ones.
  package var colourDepth: ColourDepth
  /// Whether all characters are sent. Otherwise those beyond ASCII are replaced by similar ASCII characters, unless the
  /// font has them.
  package var isUnicode: Bool
  /// The characters that are sent although `isUnicode` is `false`. If `nil`, only ASCII.
  package var font: ConsoleFont?
  /// Whether frames are wrapped in synchronized output.
  package var hasSynchronizedOutput: Bool
  /// Whether repeating a character is supported (REP).
  package var repeatsCharacters: Bool
  /// Whether scrolling rows is supported (SU, SD).
  package var scrollsOnDemand: Bool
  /// Whether erased cells get the pen's background.
  package var erasesWithBackground: Bool
  /// Whether links are sent (OSC 8).
  package var hasLinks: Bool
  /// Whether ambiguous characters are two columns wide.
  package var ambiguousIsWide: Bool

  /// Creates a set of features. The defaults are those of a current terminal, without the features that must be
  /// queried.
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

  /// Creates the features from the known capabilities of a terminal.
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

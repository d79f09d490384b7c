package import Motion
package import TextCanvas

/// What somebody asks of the browser: flags, then the environment, then the settings file, then these defaults.
package struct BrowserOptions: Sendable {
  /// How much moves.
  package var motion = MotionPreference.full
  /// Frames a second at most, 1…240.
  package var frameRate = 60
  /// How much colour; `nil` asks the terminal.
  package var colourDepth: ColourDepth?
  /// Dark or light; `nil` asks the terminal.
  package var tone: PageTone?
  /// Signs for every terminal; `nil` goes by the locale.
  package var usesAscii: Bool?
  /// Whether the mouse is taken; `nil` leaves it alone where Escape would hang on it.
  package var usesMouse: Bool?
  /// Whether the terminal is told where links lead (OSC 8); `nil` for where it is known to show them.
  package var usesHyperlinks: Bool?
  /// How pictures are shown; `nil` for the best way that the terminal answers to.
  package var pictures: PictureWay?
  /// Cards or rows, where there is room for both; `nil` lets the room decide.
  package var layout: ListGeometry.Layout?
  /// The longest line of running text, in columns.
  package var width = ReadingLayout.longestMeasure
  /// Colours of a person's own.
  package var colours = OwnColours()
  /// Which key means what.
  package var keys = KeyBindings()
  /// A file to record the session into, as asciicast v2.
  package var recordingPath: String?

  /// The defaults.
  package init() {}
}

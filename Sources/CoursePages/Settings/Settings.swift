package import Motion
package import TextCanvas

/// How somebody wants the browser to be: by flags, by the environment, or by a settings file. What is not said is `nil`.
///
/// Each of the three is one of these; they are laid over each other, and the first that says something counts.
///
/// ```swift
/// let settings = flags.over(try .environment()).over(try .file(at: Settings.path()))
/// try await FullScreen.run(settings.options, …)
/// ```
package struct Settings: Hashable, Sendable {
  /// A value, or the word `auto`: the terminal is asked.
  package enum Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The terminal is asked.
    case automatic
    /// This, whatever the terminal says.
    case fixed(Value)

    package var value: Value? { if case .fixed(let value) = self { value } else { nil } }
  }

  /// How much moves.
  package var motion: MotionPreference?
  /// Frames a second at most, 1…240.
  package var frameRate: Int?
  /// How much colour.
  package var colour: Choice<ColourDepth>?
  /// For which page.
  package var theme: Choice<PageTone>?
  /// Cards or rows, where there is room for both.
  package var layout: Choice<ListGeometry.Layout>?
  /// The longest line of running text, in columns: one of ``ReadingLayout/measures``.
  package var width: Int?
  /// Whether only signs of every terminal are used.
  package var usesAscii: Choice<Bool>?
  /// Whether the mouse is taken.
  package var usesMouse: Choice<Bool>?
  /// Whether the terminal is told where links lead (OSC 8), so that it can open them.
  package var usesHyperlinks: Choice<Bool>?
  /// How pictures are shown.
  package var pictures: Choice<PictureWay>?
  /// Whether everything is said in lines instead of a full screen.
  package var isLinear: Bool?
  /// The address of the server that is synchronised with; an empty text for none.
  package var server: String?
  /// Colours of a person's own.
  package var colours: OwnColours?
  /// The keys of commands that have others than usual.
  package var keys: [Command: [KeyEvent]]?

  /// Says nothing.
  package init() {}

  /// What these settings say, and where they say nothing what others say.
  package func over(_ others: Settings) -> Settings {
    var all = self
    all.motion = motion ?? others.motion
    all.frameRate = frameRate ?? others.frameRate
    all.colour = colour ?? others.colour
    all.theme = theme ?? others.theme
    all.layout = layout ?? others.layout
    all.width = width ?? others.width
    all.usesAscii = usesAscii ?? others.usesAscii
    all.usesMouse = usesMouse ?? others.usesMouse
    all.usesHyperlinks = usesHyperlinks ?? others.usesHyperlinks
    all.pictures = pictures ?? others.pictures
    all.isLinear = isLinear ?? others.isLinear
    all.server = server ?? others.server
    all.colours = colours ?? others.colours
    all.keys = keys ?? others.keys
    return all
  }

  /// What is asked of the browser, with the defaults where nothing is said.
  package var options: BrowserOptions {
    var options = BrowserOptions()
    options.motion = motion ?? options.motion
    options.frameRate = frameRate ?? options.frameRate
    options.colourDepth = colour?.value
    options.tone = theme?.value
    options.layout = layout?.value
    options.width = width ?? options.width
    options.usesAscii = usesAscii?.value
    options.usesMouse = usesMouse?.value
    options.usesHyperlinks = usesHyperlinks?.value
    options.pictures = pictures?.value
    options.colours = colours ?? options.colours
    if let keys { options.keys = KeyBindings(changing: keys) }
    return options
  }
}

public import ScreenKit
public import TextCanvas

/// How somebody wants the browser to be: by flags, by the environment, or by a settings file. What is not said is `nil`.
///
/// Each of the three is one of these; they are laid over each other, and the first that says something counts.
///
/// ```swift
/// let settings = flags.over(try .environment()).over(try .file(at: Settings.path()))
/// try await FullScreen.run(settings.options, …)
/// ```
public struct Settings: Hashable, Sendable {
  /// A value, or the word `auto`: the terminal is asked.
  public enum Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The terminal is asked.
    case automatic
    /// This, whatever the terminal says.
    case fixed(Value)

    var value: Value? { if case .fixed(let value) = self { value } else { nil } }
  }

  /// How much moves.
  public var motion: MotionPreference?
  /// Frames a second at most, 1…240.
  public var frameRate: Int?
  /// How much colour.
  public var colour: Choice<ColourDepth>?
  /// For which page.
  public var theme: Choice<PageTone>?
  /// Cards or rows, where there is room for both.
  public var layout: Choice<ListGeometry.Layout>?
  /// Whether only signs of every terminal are used.
  public var usesAscii: Choice<Bool>?
  /// Whether the mouse is taken.
  public var usesMouse: Choice<Bool>?
  /// Whether the terminal is told where links lead (OSC 8), so that it can open them.
  public var usesHyperlinks: Choice<Bool>?
  /// Whether everything is said in lines instead of a full screen.
  public var isLinear: Bool?
  /// The keys of commands that have others than usual.
  var keys: [Command: [KeyEvent]]?

  /// Says nothing.
  public init() {}

  /// What these settings say, and where they say nothing what others say.
  public func over(_ others: Settings) -> Settings {
    var all = self
    all.motion = motion ?? others.motion
    all.frameRate = frameRate ?? others.frameRate
    all.colour = colour ?? others.colour
    all.theme = theme ?? others.theme
    all.layout = layout ?? others.layout
    all.usesAscii = usesAscii ?? others.usesAscii
    all.usesMouse = usesMouse ?? others.usesMouse
    all.usesHyperlinks = usesHyperlinks ?? others.usesHyperlinks
    all.isLinear = isLinear ?? others.isLinear
    all.keys = keys ?? others.keys
    return all
  }

  /// What is asked of the browser, with the defaults where nothing is said.
  public var options: BrowserOptions {
    var options = BrowserOptions()
    options.motion = motion ?? options.motion
    options.frameRate = frameRate ?? options.frameRate
    options.colourDepth = colour?.value
    options.tone = theme?.value
    options.layout = layout?.value
    options.usesAscii = usesAscii?.value
    options.usesMouse = usesMouse?.value
    options.usesHyperlinks = usesHyperlinks?.value
    options.keys = KeyBindings(changing: keys ?? [:])
    return options
  }
}

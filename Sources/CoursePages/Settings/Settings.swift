import Foundation
package import ScreenKit
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

extension Settings {
  /// Where the settings file is: `waymark/config.yml` under `XDG_CONFIG_HOME`, else under `.config` of a home folder.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_CONFIG_HOME` does not count.
  package static func path(in variable: (String) -> String?, home: String) -> String {
    let folder = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    return folder + "/waymark/config.yml"
  }

  /// What a settings file says; nothing where there is no file.
  ///
  /// - Throws: ``SettingsError``, with file and line, for every mistake.
  package static func file(at path: String) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      let isFolder = (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      throw SettingsError.unreadable(file: path, reason: isFolder ? "it is a folder" : "it cannot be opened")
    }
    guard bytes.count <= SettingsFile.longest else { throw SettingsError.tooLong(file: path, bytes: bytes.count) }
    guard let text = String(data: bytes, encoding: .utf8) else {
      let text = String(decoding: bytes, as: UTF8.self)
      // Whatever is no UTF-8 became this character; a file that has it on purpose has it before as well.
      let lines = text.prefix { $0 != "\u{FFFD}" }.count { $0.isNewline }
      throw SettingsError.notText(place: "\(path):\(lines + 1)")
    }
    return try SettingsFile(name: path).settings(from: text)
  }

  /// What the variables of an environment, which a name is looked up in, say: `WAYMARK_MOTION=reduced` and its like, `1` and `0` for `on`
  /// and `off`, and `NO_COLOR`.
  ///
  /// - Throws: ``SettingsError`` where variables have values that they cannot have.
  ///
  /// Source: no-color.org, for `NO_COLOR`.
  package static func environment(_ variable: (String) -> String?) throws -> Settings {
    var settings = Settings()
    if variable("NO_COLOR") != nil { settings.colour = .fixed(ColourDepth.none) }
    var mistakes = SettingsMistakes()
    for name in SettingRow.Name.allCases {
      guard let value = variable(name.variable), let row = SettingRow.row(named: name.rawValue) else { continue }
      if row.read(variable: value, &settings) { continue }
      mistakes.note(.badVariable(name: name.variable, value: value, expected: row.values))
    }
    try mistakes.check()
    return settings
  }
}

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

package import ScreenKit
package import TextCanvas

/// The names of the settings, in the order of the documentation.
///
/// To add a setting: add its name here, its declaration to ``SettingsTable``, and its row to
/// `Documentation/settings.md`. The compiler then reports the code that does not handle the setting yet. Tests compare
/// the declarations with the flags and the documentation.
package enum SettingName: String, CaseIterable, Sendable {
  case theme, motion
  case frameRate = "frame-rate"
  case color, layout, width, symbols, mouse, hyperlinks, pictures, linear, editor, sync

  /// The environment variable of the setting.
  package var variable: String { "WAYMARK_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

  /// The declaration of the setting.
  package var row: SettingRow {
    let table = SettingsTable.shared
    return switch self {
    case .theme: table.theme.row
    case .motion: table.motion.row
    case .frameRate: table.frameRate.row
    case .color: table.colour.row
    case .layout: table.layout.row
    case .width: table.width.row
    case .symbols: table.usesAscii.row
    case .mouse: table.usesMouse.row
    case .hyperlinks: table.usesHyperlinks.row
    case .pictures: table.pictures.row
    case .linear: table.isLinear.row
    case .editor: table.editor.row
    case .sync: table.server.row
    }
  }
}

/// The declaration of one setting. The settings file, the environment, the flags, the page of settings and the
/// documentation derive from it.
package struct SettingRow: Sendable {
  /// A flag of `waymark browse`, named like the setting.
  package struct Flag: Sendable {
    /// The text of `--help`.
    package let help: String
    /// The name of the value in `--help`, or `nil` for the name of the setting.
    package var valueName: String?
  }

  /// The part of the browser that applies a new value while it runs.
  package enum Change: CaseIterable, Sendable {
    case motion, layout, appearance
    /// No part: the value takes effect when the browser starts again.
    case nextStart
  }

  /// The key in the settings file. The variable and the flag are named after it.
  package let name: SettingName
  /// The values in words, for messages and the documentation.
  package let values: String
  /// The words that can be written; empty for numbers and addresses.
  package let allowedWords: [String]
  /// The default in the notation of the file.
  package let defaultText: String
  /// The flag, or `nil` for a setting without one.
  package let flag: Flag?
  package let change: Change
  /// The effect in a few words, for the page of settings.
  package let summary: String
  /// Additional words by which the page of settings and the palette find the setting.
  package let synonyms: [String]
  /// The effect in full, in Markdown, for the table in `Documentation/settings.md`.
  package let documentation: String
  /// Returns a value in the notation of the file, or `nil` if the setting cannot have it.
  package let normalized: @Sendable (_ text: String) -> String?
}

/// A setting with the type of its value: its row in the table, and the conversion between values and text.
package struct Setting<Value: Sendable>: Sendable {
  /// The valid texts of a setting, with the values that they represent.
  struct Syntax: Sendable {
    let values: String
    let allowedWords: [String]
    let value: @Sendable (_ text: String) -> Value?
    let text: @Sendable (_ value: Value) -> String
  }

  let row: SettingRow
  let syntax: Syntax
  let defaultValue: Value

  init(
    _ name: SettingName, _ syntax: Syntax, default defaultValue: Value, flag: SettingRow.Flag?,
    change: SettingRow.Change, summary: String, synonyms: [String], documentation: String
  ) {
    (self.syntax, self.defaultValue) = (syntax, defaultValue)
    row = SettingRow(
      name: name, values: syntax.values, allowedWords: syntax.allowedWords, defaultText: syntax.text(defaultValue),
      flag: flag,
      change: change, summary: summary, synonyms: synonyms, documentation: documentation
    ) { text in syntax.value(text).map(syntax.text) }
  }
}

extension Setting.Syntax where Value: Equatable {
  /// Returns a syntax whose valid texts are the given words.
  static func oneOf(_ pairs: KeyValuePairs<String, Value>) -> Self {
    let pairs = pairs.map { (word: $0.key, value: $0.value) }
    return Self(values: "one of " + pairs.map(\.word).joined(separator: ", "), allowedWords: pairs.map(\.word)) {
      text in
      pairs.first { $0.word == text }?.value
    } text: { value in
      pairs.first { $0.value == value }?.word ?? ""
    }
  }
}

extension Setting.Syntax where Value == Int {
  /// Returns a syntax whose valid texts are the whole numbers in a range.
  static func number(in range: ClosedRange<Int>) -> Self {
    Self(values: "a whole number from \(range.lowerBound) to \(range.upperBound)", allowedWords: []) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    } text: {
      String($0)
    }
  }
}

extension Setting.Syntax where Value == String? {
  /// A syntax for the address of a server, or `off` for the value `nil`.
  static var server: Self {
    Self(values: "a server's address, such as https://school.example, or off", allowedWords: []) { text in
      let isAddress = ["http://", "https://"].contains(where: text.hasPrefix)
      return isAddress ? .some(text) : text == "off" ? .some(nil) : nil
    } text: {
      $0 ?? "off"
    }
  }
}

extension Setting.Syntax where Value == String? {
  /// A syntax for a command of the shell, or `auto` for the value `nil`.
  static var command: Self {
    Self(values: "a command, such as code or emacs -nw, or auto", allowedWords: []) { text in
      let isLine = !text.allSatisfy(\.isWhitespace) && !text.contains(where: \.isNewline)
      return text == "auto" ? .some(nil) : isLine ? .some(text) : nil
    } text: {
      $0 ?? "auto"
    }
  }
}

/// The declarations of all settings. In optional values, `nil` represents `auto`: the value depends on the terminal.
package struct SettingsTable: Sendable {
  static let shared = SettingsTable()
  /// The valid numbers of frames per second.
  package static let frameRates = 1...240

  package let theme = Setting<PageAppearance?>(
    .theme,
    .oneOf([
      "auto": nil, "dark": .dark, "light": .light, "high-contrast": .highContrast,
      "high-contrast-light": .highContrastLight,
    ]), default: nil, flag: .init(help: "The colours: for a dark or light background, or with high contrast."),
    change: .appearance, summary: "light or dark background", synonyms: ["night", "day", "appearance"],
    documentation:
      "Colours for a dark or a light background, or with the highest contrast on one. `auto` asks the terminal. If the terminal does not answer, the colours are readable on both. If the background differs from the theme or is unknown, and for both high-contrast themes, Waymark paints the theme's background in all cells."
  )

  package let motion = Setting<MotionPreference>(
    .motion, .oneOf(["full": .full, "reduced": .reduced, "none": .none]), default: .full,
    flag: .init(help: "The amount of animation."), change: .motion, summary: "the amount of animation",
    synonyms: ["movement", "still", "calm"],
    documentation: "`reduced` replaces movement with fading. `none` shows the last frame at once.")

  package let frameRate = Setting<Int>(
    .frameRate, .number(in: SettingsTable.frameRates), default: 60,
    flag: .init(help: "The maximum number of frames per second, 1 to 240.", valueName: "n"), change: .nextStart,
    summary: "frames per second", synonyms: ["fps", "speed"],
    documentation: "Maximum number of frames per second.")

  package let colour = Setting<ColourDepth?>(
    .color,
    .oneOf(["auto": nil, "truecolor": .truecolor, "256": .indexed, "16": .ansi, "none": ColourDepth.none]),
    default: nil, flag: .init(help: "The number of colours."), change: .appearance, summary: "the number of colours",
    synonyms: ["monochrome"],
    documentation:
      "Number of colours. `auto` depends on the terminal. Terminal types without colours, such as `xterm-mono`, get none. `NO_COLOR` means `none`."
  )

  package let layout = Setting<CardListLayout?>(
    .layout, .oneOf(["auto": nil, "cards": .cards, "list": .list]), default: nil,
    flag: .init(help: "The layout of lists."), change: .layout, summary: "cards or list",
    synonyms: ["rows"],
    documentation: "Cards with three rows each, or a list with one row each. `auto` depends on the available space.")

  /// The maximum length of a line of running text, in columns.
  package let width = Setting<Int>(
    .width, .number(in: ReadingLayout.measures), default: ReadingLayout.maximumLineLength, flag: nil,
    change: .appearance, summary: "line length",
    synonyms: ["wider", "narrower", "columns", "measure"],
    documentation: "Maximum number of columns in a line of running text. Tables and code can use the full width.")

  package let usesAscii = Setting<Bool?>(
    .symbols, .oneOf(["auto": nil, "unicode": false, "ascii": true]), default: nil,
    flag: .init(help: "The characters for lines and icons."), change: .appearance,
    summary: "characters of lines and icons",
    synonyms: ["icons", "glyphs"],
    documentation:
      "Characters for lines and icons. `auto` depends on the locale and the terminal. The Linux console gets ASCII symbols, and those characters of a text that its font contains."
  )

  package let usesMouse = Setting<Bool?>(
    .mouse, .oneOf(["auto": nil, "on": true, "off": false]), default: nil,
    flag: .init(help: "Whether the browser uses the mouse."), change: .nextStart, summary: "mouse support",
    synonyms: [],
    documentation:
      "Whether the browser receives mouse events. If `off`, the terminal selects text with the mouse as usual. `auto` means `on`, except in GNU screen, which would delay each Escape until the next key."
  )

  /// Whether links are written as hyperlinks of the terminal (OSC 8).
  package let usesHyperlinks = Setting<Bool?>(
    .hyperlinks, .oneOf(["auto": nil, "on": true, "off": false]), default: nil, flag: nil, change: .nextStart,
    summary: "links that can be clicked", synonyms: [],
    documentation:
      "Whether the terminal receives the targets of links (OSC 8), so that a click can open them. `auto` means `on` in terminals that are known to support links."
  )

  package let pictures = Setting<ImageRenderingMode?>(
    .pictures,
    .oneOf(["auto": nil, "none": ImageRenderingMode.none, "blocks": .blocks, "sixel": .sixel, "kitty": .kitty]),
    default: nil,
    flag: .init(help: "The display of images."), change: .nextStart, summary: "how images are shown",
    synonyms: ["images"],
    documentation:
      "Display of images: as descriptions (`none`), in half blocks, or as pixels if the terminal reports support. `auto` uses the best supported form."
  )

  package let isLinear = Setting<Bool>(
    .linear, .oneOf(["on": true, "off": false]), default: false,
    flag: .init(help: "Print plain lines instead of a full screen, for screen readers."), change: .nextStart,
    summary: "plain lines instead of a full screen", synonyms: ["screen reader", "speech", "plain"],
    documentation: "Plain lines instead of a full screen, for screen readers.")

  /// The command that opens the files of exercises.
  package let editor = Setting<String?>(
    .editor, .command, default: nil, flag: nil, change: .nextStart, summary: "the editor for exercises",
    synonyms: ["vim", "code", "ide"],
    documentation:
      "The command that opens the files of [exercises](exercises.md#in-the-browser). `auto` means `VISUAL` or `EDITOR`, in a split of the terminal if possible."
  )

  /// The address of the server to synchronise with.
  package let server = Setting<String?>(
    .sync, .server, default: nil, flag: nil, change: .nextStart, summary: "the server to synchronise with",
    synonyms: ["together"],
    documentation: "The server with which the browser [synchronises](sync.md) while it is open.")
}

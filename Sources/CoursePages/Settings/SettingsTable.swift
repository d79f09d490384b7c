package import ScreenKit
package import TextCanvas

/// The names of the settings, in the order of the documentation.
///
/// To add a setting: add its name here, its declaration to ``SettingsTable``, and its row to `Documentation/settings.md`.
/// The compiler reports the places that do not handle it yet, and tests compare it with the flags and the documentation.
package enum SettingName: String, CaseIterable, Sendable {
  case theme, motion
  case frameRate = "frame-rate"
  case color, layout, width, symbols, mouse, hyperlinks, pictures, linear, sync

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
    /// The name of the value in `--help`; `nil` for the name of the setting.
    package var valueName: String?
  }

  /// The part of the browser that applies a new value while it runs.
  package enum Change: CaseIterable, Sendable {
    case motion, layout, appearance
    /// The value is applied when the browser starts again.
    case nextStart
  }

  /// The key in the settings file. The variable and the flag are named after it.
  package let name: SettingName
  /// The values in words, for messages and the documentation.
  package let values: String
  /// The words that can be written; empty for numbers and addresses.
  package let words: [String]
  /// The default in the notation of the file.
  package let defaultText: String
  /// The flag; `nil` for a setting without one.
  package let flag: Flag?
  package let change: Change
  /// The effect in a few words, for the page of settings.
  package let summary: String
  /// Further words under which the page of settings and the palette find the setting.
  package let synonyms: [String]
  /// The effect in full, in Markdown, for the table in `Documentation/settings.md`.
  package let documentation: String
  /// Returns a value in the notation of the file, or `nil` if the setting cannot have it.
  package let normalized: @Sendable (_ text: String) -> String?
}

/// A setting with a type: its row, and the conversion between values and text.
package struct Setting<Value: Sendable>: Sendable {
  /// The texts that a setting can have.
  struct Syntax: Sendable {
    let values: String
    let words: [String]
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
      name: name, values: syntax.values, words: syntax.words, defaultText: syntax.text(defaultValue), flag: flag,
      change: change, summary: summary, synonyms: synonyms, documentation: documentation
    ) { text in syntax.value(text).map(syntax.text) }
  }
}

extension Setting.Syntax where Value: Equatable {
  /// One of some words.
  static func words(_ pairs: KeyValuePairs<String, Value>) -> Self {
    let pairs = pairs.map { (word: $0.key, value: $0.value) }
    return Self(values: "one of " + pairs.map(\.word).joined(separator: ", "), words: pairs.map(\.word)) { text in
      pairs.first { $0.word == text }?.value
    } text: { value in
      pairs.first { $0.value == value }?.word ?? ""
    }
  }
}

extension Setting.Syntax where Value == Int {
  /// A whole number of a range.
  static func number(in range: ClosedRange<Int>) -> Self {
    Self(values: "a whole number from \(range.lowerBound) to \(range.upperBound)", words: []) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    } text: {
      String($0)
    }
  }
}

extension Setting.Syntax where Value == String? {
  /// The address of a server, or `off` for `nil`.
  static var server: Self {
    Self(values: "a server's address, such as https://school.example, or off", words: []) { text in
      let isAddress = ["http://", "https://"].contains(where: text.hasPrefix)
      return isAddress ? .some(text) : text == "off" ? .some(nil) : nil
    } text: {
      $0 ?? "off"
    }
  }
}

/// The declarations of all settings. In values, `nil` stands for `auto`: the terminal decides.
package struct SettingsTable: Sendable {
  static let shared = SettingsTable()
  /// The frames per second that can be set.
  package static let frameRates = 1...240

  package let theme = Setting<PageTone?>(
    .theme,
    .words([
      "auto": nil, "dark": .dark, "light": .light, "high-contrast": .highContrast,
      "high-contrast-light": .highContrastLight,
    ]), default: nil, flag: .init(help: "For a dark or a light page, or with the strongest contrast on one."),
    change: .appearance, summary: "colours for which page", synonyms: ["night", "day", "appearance"],
    documentation:
      "Colours for a dark or a light page, or the strongest contrast on one. `auto` asks the terminal, and takes colours that can be read on both where it does not answer. Where the page of the terminal is of the other kind, and with the strongest contrast, it is painted while Waymark runs (OSC 11, from 256 colours on, where the terminal says what it has)."
  )

  package let motion = Setting<MotionPreference>(
    .motion, .words(["full": .full, "reduced": .reduced, "none": .none]), default: .full,
    flag: .init(help: "How much moves."), change: .motion, summary: "animations: how much moves",
    synonyms: ["movement", "still", "calm"],
    documentation: "`reduced` fades instead of moving; `none` shows the last frame at once.")

  package let frameRate = Setting<Int>(
    .frameRate, .number(in: SettingsTable.frameRates), default: 60,
    flag: .init(help: "Frames a second at most, 1 to 240.", valueName: "n"), change: .nextStart,
    summary: "frames a second at most", synonyms: ["fps", "speed"], documentation: "Frames a second at most.")

  package let colour = Setting<ColourDepth?>(
    .color,
    .words(["auto": nil, "truecolor": .truecolor, "256": .indexed, "16": .ansi, "none": ColourDepth.none]),
    default: nil, flag: .init(help: "How many colours."), change: .appearance, summary: "how many colours",
    synonyms: ["monochrome"],
    documentation:
      "How many colours. `auto` follows the terminal (`xterm-mono` and other names for terminals without colours have none); `NO_COLOR` is `none`."
  )

  package let layout = Setting<ListGeometry.Layout?>(
    .layout, .words(["auto": nil, "cards": .cards, "list": .list]), default: nil,
    flag: .init(help: "Cards, or one row each."), change: .layout, summary: "cards, or one row each",
    synonyms: ["rows"], documentation: "Cards of three rows, or one row each. `auto` goes by the room.")

  /// The longest line of running text, in columns.
  package let width = Setting<Int>(
    .width, .number(in: ReadingLayout.measures), default: ReadingLayout.longestMeasure, flag: nil,
    change: .appearance, summary: "how wide a line of text is", synonyms: ["wider", "narrower", "columns", "measure"],
    documentation: "How many columns a line of running text has at most; tables and code may take all there are.")

  package let usesAscii = Setting<Bool?>(
    .symbols, .words(["auto": nil, "unicode": false, "ascii": true]), default: nil,
    flag: .init(help: "Which signs the terminal can draw."), change: .appearance, summary: "which signs are drawn",
    synonyms: ["icons", "glyphs"],
    documentation:
      "Which signs are drawn. `auto` follows the locale and the terminal. The Linux console gets ASCII signs, and of the text the characters that its font has."
  )

  package let usesMouse = Setting<Bool?>(
    .mouse, .words(["auto": nil, "on": true, "off": false]), default: nil,
    flag: .init(help: "Whether the mouse is listened to."), change: .nextStart, summary: "whether the mouse is taken",
    synonyms: [],
    documentation:
      "Whether the mouse is the browser's. Off, the terminal selects text with it as usual. `auto` is on but within GNU screen, which would hold each Escape back until the next key."
  )

  /// Whether links are written as hyperlinks of the terminal (OSC 8).
  package let usesHyperlinks = Setting<Bool?>(
    .hyperlinks, .words(["auto": nil, "on": true, "off": false]), default: nil, flag: nil, change: .nextStart,
    summary: "whether links can be clicked in the terminal", synonyms: [],
    documentation:
      "Whether the terminal is told where links lead (OSC 8), so that it can open them. `auto` tells terminals that are known to show them."
  )

  package let pictures = Setting<PictureWay?>(
    .pictures,
    .words(["auto": nil, "none": PictureWay.none, "blocks": .blocks, "sixel": .sixel, "kitty": .kitty]), default: nil,
    flag: .init(help: "How pictures are shown."), change: .nextStart, summary: "how pictures are drawn",
    synonyms: ["images"],
    documentation:
      "How pictures are shown: by their descriptions, in half blocks, or as pixels where the terminal answers that it can. `auto` takes the best that it answers to."
  )

  package let isLinear = Setting<Bool>(
    .linear, .words(["on": true, "off": false]), default: false,
    flag: .init(help: "Lines instead of a full screen, for people who listen."), change: .nextStart,
    summary: "lines instead of a full screen", synonyms: ["screen reader", "speech", "plain"],
    documentation: "Lines instead of a full screen, for people who listen.")

  /// The address of the server to synchronise with.
  package let server = Setting<String?>(
    .sync, .server, default: nil, flag: nil, change: .nextStart, summary: "with which server you synchronise",
    synonyms: ["together"],
    documentation: "With which server the browser [synchronises](sync.md) while it is open.")
}

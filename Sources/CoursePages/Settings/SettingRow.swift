import ScreenKit
import TextCanvas

/// The settings by name: what each may be, and where it goes.
///
/// To add one, add its name and its row here and a property to ``Settings``. The file has it under its name, the
/// environment as `WAYMARK_` and the name in capitals.
struct SettingRow {
  /// What they are called. A start asks for no more than these, where no variable is set.
  enum Name: String, CaseIterable {
    case theme, motion
    case frameRate = "frame-rate"
    case color, layout, width, symbols, mouse, hyperlinks, pictures, linear, sync

    /// The name of the variable that sets it.
    var variable: String { "WAYMARK_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }
  }

  let name: Name
  /// What may be written, for messages.
  let values: String
  /// What it does, in a few words for the page of settings.
  let does: String
  /// The words that may be written; none for a number.
  var words: [String] = []
  /// What it is where nothing is said.
  let standard: String
  /// Whether it counts from the next start only.
  var isForNextStart = false
  /// Reads a value; `false` where it is none of those.
  let read: @Sendable (_ text: String, _ settings: inout Settings) -> Bool
  /// What settings say, as it is written; `nil` where they say nothing.
  let text: @Sendable (_ settings: Settings) -> String?

  static let rows: [SettingRow] = [
    row(
      .theme, "colours for which page",
      [
        "auto": .automatic, "dark": .fixed(.dark), "light": .fixed(.light), "high-contrast": .fixed(.highContrast),
        "high-contrast-light": .fixed(.highContrastLight),
      ], \.theme),
    row(
      .motion, "animations: how much moves", ["full": .full, "reduced": .reduced, "none": MotionPreference.none],
      \.motion),
    SettingRow(
      name: .frameRate, values: "a whole number from 1 to 240", does: "frames a second at most", standard: "60",
      isForNextStart: true
    ) { text, settings in
      guard let rate = Int(text), (1...240).contains(rate) else { return false }
      settings.frameRate = rate
      return true
    } text: {
      $0.frameRate.map(String.init)
    },
    row(
      .color, "how many colours",
      [
        "auto": .automatic, "truecolor": .fixed(.truecolor), "256": .fixed(.indexed), "16": .fixed(.ansi),
        "none": .fixed(ColourDepth.none),
      ], \.colour),
    row(
      .layout, "cards, or one row each", ["auto": .automatic, "cards": .fixed(.cards), "list": .fixed(.list)], \.layout
    ),
    SettingRow(
      name: .width, values: "a whole number from 40 to 94", does: "how wide a line of text is", standard: "74"
    ) { text, settings in
      guard let width = Int(text), ReadingLayout.measures.contains(width) else { return false }
      settings.width = width
      return true
    } text: {
      $0.width.map(String.init)
    },
    row(
      .symbols, "which signs are drawn", ["auto": .automatic, "unicode": .fixed(false), "ascii": .fixed(true)],
      \.usesAscii),
    row(
      .mouse, "whether the mouse is taken", ["auto": .automatic, "on": .fixed(true), "off": .fixed(false)],
      \.usesMouse,
      isForNextStart: true),
    row(
      .hyperlinks, "whether links can be clicked in the terminal",
      ["auto": .automatic, "on": .fixed(true), "off": .fixed(false)], \.usesHyperlinks, isForNextStart: true),
    row(
      .pictures, "how pictures are drawn",
      [
        "auto": .automatic, "none": .fixed(PictureWay.none), "blocks": .fixed(.blocks), "sixel": .fixed(.sixel),
        "kitty": .fixed(.kitty),
      ], \.pictures, isForNextStart: true),
    row(.linear, "lines instead of a full screen", switching, \.isLinear, standard: "off", isForNextStart: true),
    SettingRow(
      name: .sync, values: "a server's address, such as https://school.example, or off",
      does: "with which server you synchronise", standard: "off", isForNextStart: true
    ) { text, settings in
      guard ["http://", "https://"].contains(where: text.hasPrefix) || text == "off" else { return false }
      settings.server = text == "off" ? "" : text
      return true
    } text: {
      $0.server.map { $0.isEmpty ? "off" : $0 }
    },
  ]

  /// Words that people look for a setting by, besides its name, its values and what it does.
  static let otherWords = [
    "theme": ["night", "day", "appearance"], "motion": ["movement", "still", "calm"], "frame-rate": ["fps", "speed"],
    "color": ["monochrome"], "layout": ["rows"], "width": ["wider", "narrower", "columns", "measure"],
    "symbols": ["icons", "glyphs"], "pictures": ["images"], "linear": ["screen reader", "speech", "plain"],
    "sync": ["together"],
  ]

  private static let switching: KeyValuePairs = ["on": true, "off": false]
  /// What a variable may say instead of `on` and `off`, as is usual there.
  private static let digits = ["1": "on", "0": "off"]

  /// The row of that name; `nil` where none is called so.
  static func row(named name: String) -> SettingRow? { rows.first { $0.name.rawValue == name } }

  /// Reads the value of a variable; `false` where it is none that the setting can have.
  func read(variable text: String, _ settings: inout Settings) -> Bool {
    read(text, &settings) || Self.digits[text].map { read($0, &settings) } ?? false
  }

  private static func row<Value: Equatable & Sendable>(
    _ name: Name, _ does: String, _ words: KeyValuePairs<String, Value>,
    _ property: any WritableKeyPath<Settings, Value?> & Sendable, standard: String? = nil, isForNextStart: Bool = false
  ) -> SettingRow {
    let pairs = words.map { (word: $0.key, value: $0.value) }
    return SettingRow(
      name: name, values: "one of " + pairs.map(\.word).joined(separator: ", "), does: does, words: pairs.map(\.word),
      standard: standard ?? pairs[0].word, isForNextStart: isForNextStart
    ) { text, settings in
      guard let pair = pairs.first(where: { $0.word == text }) else { return false }
      settings[keyPath: property] = pair.value
      return true
    } text: { settings in
      settings[keyPath: property].flatMap { value in pairs.first { $0.value == value }?.word }
    }
  }
}

import Motion
import TextCanvas

/// The settings by name: what each may be, and where it goes.
///
/// To add one, add a row here and a property to ``Settings``. The file has it under its name, the environment as
/// `WAYMARK_` and the name in capitals.
struct SettingRow {
  let name: String
  /// What may be written, for messages.
  let values: String
  /// Reads a value; `false` where it is none of those.
  let read: @Sendable (_ text: String, _ settings: inout Settings) -> Bool

  static let rows: [SettingRow] = [
    row("theme", ["auto": .automatic, "dark": .fixed(.dark), "light": .fixed(.light)], \.theme),
    row("motion", ["full": .full, "reduced": .reduced, "none": MotionPreference.none], \.motion),
    SettingRow(name: "frame-rate", values: "a whole number from 1 to 240") { text, settings in
      guard let rate = Int(text), (1...240).contains(rate) else { return false }
      settings.frameRate = rate
      return true
    },
    row(
      "color",
      [
        "auto": .automatic, "truecolor": .fixed(.truecolor), "256": .fixed(.indexed), "16": .fixed(.ansi),
        "none": .fixed(ColourDepth.none),
      ], \.colour),
    row("layout", ["auto": .automatic, "cards": .fixed(.cards), "list": .fixed(.list)], \.layout),
    row("symbols", ["auto": .automatic, "unicode": .fixed(false), "ascii": .fixed(true)], \.usesAscii),
    row("mouse", ["auto": .automatic, "on": .fixed(true), "off": .fixed(false)], \.usesMouse),
    row("hyperlinks", ["auto": .automatic, "on": .fixed(true), "off": .fixed(false)], \.usesHyperlinks),
    row(
      "pictures",
      [
        "auto": .automatic, "none": .fixed(PictureWay.none), "blocks": .fixed(.blocks), "sixel": .fixed(.sixel),
        "kitty": .fixed(.kitty),
      ], \.pictures),
    row("linear", switching, \.isLinear),
  ]

  private static let switching: KeyValuePairs = ["on": true, "off": false]
  /// What a variable may say instead of `on` and `off`, as is usual there.
  private static let digits = ["1": "on", "0": "off"]

  /// The name of the variable that sets it.
  var variable: String { "WAYMARK_" + name.uppercased().replacing("-", with: "_") }

  /// Reads the value of a variable; `false` where it is none that the setting can have.
  func read(variable text: String, _ settings: inout Settings) -> Bool {
    read(text, &settings) || Self.digits[text].map { read($0, &settings) } ?? false
  }

  private static func row<Value: Sendable>(
    _ name: String, _ words: KeyValuePairs<String, Value>, _ property: any WritableKeyPath<Settings, Value?> & Sendable
  ) -> SettingRow {
    let pairs = words.map { (word: $0.key, value: $0.value) }
    return SettingRow(name: name, values: "one of " + pairs.map(\.word).joined(separator: ", ")) { text, settings in
      guard let pair = pairs.first(where: { $0.word == text }) else { return false }
      settings[keyPath: property] = pair.value
      return true
    }
  }
}

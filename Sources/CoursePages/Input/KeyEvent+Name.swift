package import TextCanvas

/// How keys are written: on the screen with signs, in the settings file with words.
extension KeyEvent {
  /// The keys that have a name instead of a character.
  private static let names: [(name: String, key: Key)] = [
    ("Enter", .enter), ("Tab", .tab), ("Space", .character(" ")), ("Backspace", .backspace), ("Esc", .escape),
    ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
    ("PageUp", .pageUp), ("PageDown", .pageDown), ("Insert", .insert), ("Delete", .delete),
  ]

  private static let modifierNames: [(name: String, modifier: KeyModifiers)] = [
    ("Ctrl", .control), ("Alt", .alt), ("Shift", .shift),
  ]

  /// The names of all keys that are no characters, for messages.
  package static var knownNames: [String] { names.map(\.name) }

  /// Reads a key as a settings file writes it: `j`, `Enter`, `Ctrl-C`, `Alt-Left`, `F5`. Upper and lower case are one in
  /// names, and in characters with Ctrl; else they are two keys.
  package init?(name text: String) {
    var rest = Substring(text)
    var modifiers: KeyModifiers = []
    while let hyphen = rest.firstIndex(of: "-"), hyphen != rest.startIndex, rest.index(after: hyphen) != rest.endIndex,
      let known = Self.modifierNames.first(where: { $0.name.lowercased() == rest[..<hyphen].lowercased() })
    {
      modifiers.insert(known.modifier)
      rest = rest[rest.index(after: hyphen)...]
    }
    if let known = Self.names.first(where: { $0.name.lowercased() == rest.lowercased() }) {
      self.init(known.key, modifiers: modifiers)
    } else if rest.count == 1, let character = rest.first, !character.isWhitespace, !modifiers.contains(.shift) {
      let isPlain = modifiers.isEmpty
      self.init(.character(isPlain ? character : Character(character.lowercased())), modifiers: modifiers)
    } else if rest.first == "f" || rest.first == "F", let number = Int(rest.dropFirst()), (1...35).contains(number) {
      self.init(.function(number), modifiers: modifiers)
    } else {
      return nil
    }
  }

  /// The key as a settings file writes it.
  package var name: String { label(arrows: ["Up", "Down", "Left", "Right"], enter: "Enter") }

  /// The key as the screen shows it.
  package func label(_ symbols: Symbols) -> String { label(arrows: symbols.arrows, enter: symbols.enter) }

  private func label(arrows: [String], enter: String) -> String {
    let prefix = Self.modifierNames.filter { modifiers.contains($0.modifier) }.map { $0.name + "-" }.joined()
    switch key {
    case .up: return prefix + arrows[0]
    case .down: return prefix + arrows[1]
    case .left: return prefix + arrows[2]
    case .right: return prefix + arrows[3]
    case .enter: return prefix + enter
    case .function(let number): return prefix + "F\(number)"
    case .character(let character) where character != " ":
      return prefix + (modifiers.contains(.control) ? character.uppercased() : String(character))
    default: return prefix + (Self.names.first { $0.key == key }?.name ?? "")
    }
  }
}

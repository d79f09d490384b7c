package import TextCanvas

/// Which key means which command. One row a command; the first key of a row is the one that is shown.
///
/// To bind another key, add it to its row. A key may stand in one row only; a test holds that. The help, the palette and
/// the settings file know no other list of commands.
package struct KeyBindings: Hashable {
  /// What a command is about; the help shows one group after the other.
  package enum Group: String, CaseIterable {
    case choose = "Choose and open"
    case go = "Go"
    case read = "Read and do"
    case look = "Look around"
  }

  package struct Row: Hashable {
    package let command: Command
    package let group: Group
    /// What it is called in the palette; in the settings file with hyphens for blanks.
    package let name: String
    /// What it does, in a few words for the help.
    package var does: String
    package var keys: [KeyEvent]
  }

  package static let rows: [Row] = [
    row(.choosePrevious, .choose, "choose previous", "the one above", .key(.up), "k", .control("p"), .control("y")),
    row(.chooseNext, .choose, "choose next", "the one below", .key(.down), "j", .control("n"), .control("e")),
    row(.chooseFirst, .choose, "choose first", "the first, the top", .key(.home), "g", "<"),
    row(.chooseLast, .choose, "choose last", "the last, the end", .key(.end), "G", ">"),
    row(.open, .choose, "open", "open it", .key(.enter), .key(.right), "l"),
    row(.up, .choose, "up", "up, or close", .key(.left), "h", .key(.backspace), .key(.escape)),
    row(.goOn, .go, "go on", "the next step", "."),
    row(.next, .go, "next", "next, or next match", "n"),
    row(.previous, .go, "previous", "the one before", "p"),
    row(.back, .go, "back", "where you were before", .alt(.left), "H", .control("o")),
    row(.forward, .go, "forward", "forward again", .alt(.right), "L"),
    row(.find, .go, "find", "in text, or anywhere", "/"),
    row(.previousFound, .go, "previous match", "the match before", "N"),
    row(.goTo, .go, "go to", "a path or a command", ":"),
    row(.headings, .go, "headings", "of this text", "#"),
    row(.mark, .go, "mark", "mark, or take it away", "m"),
    row(.marks, .go, "marks", "what you marked", "'"),
    row(.tab(0), .go, "tab learn", "Learn", "1"),
    row(.tab(1), .go, "tab find", "Find", "2"),
    row(.tab(2), .go, "tab history", "History", "3"),
    row(.nextTab, .go, "next tab", "the next tab, or link", .key(.tab)),
    row(.previousTab, .go, "previous tab", "the tab before", .shift(.tab)),
    row(.otherPane, .go, "other pane", "pane beside, and back", .control("w")),
    row(.readOn, .read, "read on", "a page on, then next", " "),
    row(.pageDown, .read, "page down", "a page down", .key(.pageDown), .control("f"), .control("v")),
    row(.pageBack, .read, "page back", "a page back", "b", .key(.pageUp), .control("b")),
    row(.halfPageDown, .read, "scroll down", "half a page down", "d", .control("d")),
    row(.halfPageUp, .read, "scroll up", "half a page up", "u", .control("u")),
    row(.toggleDone, .read, "done", "done, or not done", "x"),
    row(.again, .read, "again", "once more", "r"),
    row(.previousBlock, .read, "block before", "choose a block above", "{"),
    row(.nextBlock, .read, "block", "choose a block below", "}"),
    row(.wrap, .read, "wrap", "long lines whole", "w"),
    row(.note, .read, "note", "write a note", "e"),
    row(.highlight, .read, "highlight", "mark these words", "M"),
    row(.notes, .read, "notes", "what you wrote", "\""),
    row(.copy, .read, "copy", "copy code, link, path", "y"),
    row(.filter, .look, "filter", "History: only some", "f"),
    row(.wrongAnswers, .look, "wrong answers", "questions to go over"),
    row(.layout, .look, "layout", "cards or one row each", "v"),
    row(.wider, .look, "wider", "longer lines", "+"),
    row(.narrower, .look, "narrower", "shorter lines", "-"),
    row(.info, .look, "info", "all about it", "i"),
    row(.add, .look, "add", "add a course", "a"),
    row(.settings, .look, "settings", "how it looks", ","),
    row(.rename, .look, "rename", "give a place a name"),
    row(.remove, .look, "remove", "delete a course"),
    row(.importAgain, .look, "import again", "update a course"),
    row(.export, .look, "export", "a course into a file"),
    row(.undo, .look, "undo", "undo, while offered", "U"),
    row(.help, .look, "help", "every key", "?", .key(.function(1))),
    row(.tour, .look, "show me around", "walk through a course"),
    row(.quit, .look, "quit", "leave Waymark", "q", .control("c")),
  ]

  /// Other names that the palette knows commands by.
  package static let otherNames: [Command: [String]] = [
    .open: ["open outside", "outside", "browser"], .notes: ["export notes"],
    .headings: ["contents", "table of contents", "outline", "sections"],
  ]

  /// Leaves from anywhere, whatever else is bound.
  package static let leaving = KeyEvent(.character("c"), modifiers: .control)

  /// Whether a key leaves from anywhere.
  package static func isLeaving(_ key: KeyEvent) -> Bool { key.isInterrupt }

  package let rows: [Row]
  private let commands: [KeyEvent: Command]

  /// Binds the keys of the table.
  ///
  /// - Parameter changes: The keys of commands that have others than in the table. A key that is taken from a command
  ///   is taken from it wherever it stood; one with no keys left has none.
  package init(changing changes: [Command: [KeyEvent]] = [:]) {
    let taken = Set(changes.values.joined())
    rows = Self.rows.map { row in
      var row = row
      row.keys = changes[row.command] ?? row.keys.filter { !taken.contains($0) }
      if row.command == .quit, !row.keys.contains(Self.leaving) { row.keys.append(Self.leaving) }
      return row
    }
    commands = Dictionary(
      rows.flatMap { row in row.keys.map { ($0, row.command) } }, uniquingKeysWith: { first, _ in first })
  }

  /// What a key asks for; `nil` where it asks for nothing, or is let go.
  package func command(for event: KeyEvent) -> Command? {
    guard event.phase != .release else { return nil }
    if let command = commands[KeyEvent(event.key, modifiers: event.modifiers)] { return command }
    if Self.isLeaving(event) { return .quit }
    // Shift is part of the character that it makes.
    guard case .character = event.key, event.modifiers == .shift else { return nil }
    return commands[KeyEvent(event.key)]
  }

  /// What is bound where the table has a key of that label: pages speak of the table's keys, and the screen shows the
  /// learner's. `nil` where the command has no key any more.
  package func label(insteadOf label: String, symbols: Symbols) -> String? {
    guard let row = Self.rows.first(where: { $0.keys.contains { $0.label(symbols) == label } }) else { return label }
    let keys = self.row(of: row.command)?.keys.map { $0.label(symbols) } ?? []
    // A page may speak of the second key, such as Esc; the first one is shown for the first.
    return label != row.keys.first?.label(symbols) && keys.contains(label) ? label : keys.first
  }

  /// The row of a command.
  package func row(of command: Command) -> Row? { rows.first { $0.command == command } }

  private enum Name: ExpressibleByStringLiteral {
    case key(Key)
    case alt(Key)
    case shift(Key)
    case control(Character)
    case character(Character)

    init(stringLiteral text: String) { self = .character(Character(text)) }

    var event: KeyEvent {
      switch self {
      case .key(let key): KeyEvent(key)
      case .alt(let key): KeyEvent(key, modifiers: .alt)
      case .shift(let key): KeyEvent(key, modifiers: .shift)
      case .control(let character): KeyEvent(.character(character), modifiers: .control)
      case .character(let character): KeyEvent(.character(character))
      }
    }
  }

  private static func row(
    _ command: Command, _ group: Group, _ name: String, _ does: String, _ names: Name...
  ) -> Row {
    Row(command: command, group: group, name: name, does: does, keys: names.map(\.event))
  }
}

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

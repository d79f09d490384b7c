package import TextCanvas

/// The mapping of keys to commands. The screen shows the first key of each row.
///
/// To bind another key, add it to the row of its command. A key may be in only one row; a test checks this. Help, the
/// palette and the settings file derive their lists of commands from this table.
package struct KeyBindings: Hashable {
  /// The topic of a command. Help shows one group after the other.
  package enum Group: String, CaseIterable {
    case choose = "Choose and open"
    case navigate = "Go"
    case read = "Read and do"
    case view = "Look around"
  }

  package struct Row: Hashable {
    package let command: Command
    package let group: Group
    /// The name in the palette. In the settings file, hyphens replace its spaces.
    package let name: String
    /// A short description for help.
    package var explanation: String
    package var keys: [KeyEvent]
  }

  package static let rows: [Row] = [
    row(.choosePrevious, .choose, "choose previous", "the one above", .key(.up), "k", .control("p"), .control("y")),
    row(.chooseNext, .choose, "choose next", "the one below", .key(.down), "j", .control("n"), .control("e")),
    row(.chooseFirst, .choose, "choose first", "the first, the top", .key(.home), "g", "<"),
    row(.chooseLast, .choose, "choose last", "the last, the end", .key(.end), "G", ">"),
    row(.open, .choose, "open", "open it", .key(.enter), .key(.right), "l"),
    row(.up, .choose, "up", "up, or close", .key(.left), "h", .key(.backspace)),
    row(.leave, .choose, "leave", "deselect, or up", .key(.escape)),
    row(.continueCourse, .navigate, "go on", "the next step", "."),
    row(.next, .navigate, "next", "next, or next match", "n"),
    row(.previous, .navigate, "previous", "the one before", "p"),
    row(.back, .navigate, "back", "where you were before", .alt(.left), "H", .control("o")),
    row(.forward, .navigate, "forward", "forward again", .alt(.right), "L"),
    row(.find, .navigate, "find", "in text, or anywhere", "/"),
    row(.previousMatch, .navigate, "previous match", "the match before", "N"),
    row(.showPalette, .navigate, "go to", "a path or a command", ":"),
    row(.headings, .navigate, "headings", "of this text", "#"),
    row(.toggleBookmark, .navigate, "mark", "mark, or take it away", "m"),
    row(.showBookmarks, .navigate, "marks", "what you marked", "'"),
    row(.tab(0), .navigate, "tab learn", "Learn", "1"),
    row(.tab(1), .navigate, "tab find", "Find", "2"),
    row(.tab(2), .navigate, "tab history", "History", "3"),
    row(.nextTab, .navigate, "next tab", "the next tab, or link", .key(.tab)),
    row(.previousTab, .navigate, "previous tab", "the tab before", .shift(.tab)),
    row(.switchPane, .navigate, "other pane", "pane beside, and back", .control("w")),
    row(.readOn, .read, "read on", "a page on, then next", " "),
    row(.pageDown, .read, "page down", "a page down", .key(.pageDown), .control("f"), .control("v")),
    row(.pageBack, .read, "page back", "a page back", "b", .key(.pageUp), .control("b")),
    row(.halfPageDown, .read, "scroll down", "half a page down", "d", .control("d")),
    row(.halfPageUp, .read, "scroll up", "half a page up", "u", .control("u")),
    row(.toggleDone, .read, "done", "done, or not done", "x"),
    row(.restart, .read, "again", "once more", "r"),
    row(.previousBlock, .read, "block before", "choose a block above", "{"),
    row(.nextBlock, .read, "block", "choose a block below", "}"),
    row(.wrap, .read, "wrap", "long lines whole", "w"),
    row(.note, .read, "note", "write a note", "e"),
    row(.highlight, .read, "highlight", "mark these words", "M"),
    row(.notes, .read, "notes", "what you wrote", "\""),
    row(.copy, .read, "copy", "copy code, link, path", "y"),
    row(.filter, .view, "filter", "History: only some", "f"),
    row(.wrongAnswers, .view, "wrong answers", "questions to go over"),
    row(.layout, .view, "layout", "cards or one row each", "v"),
    row(.wider, .view, "wider", "longer lines", "+"),
    row(.narrower, .view, "narrower", "shorter lines", "-"),
    row(.info, .view, "info", "all about it", "i"),
    row(.add, .view, "add", "add a course", "a"),
    row(.settings, .view, "settings", "how it looks", ","),
    row(.rename, .view, "rename", "give a place a name"),
    row(.remove, .view, "remove", "delete a course"),
    row(.importAgain, .view, "import again", "update a course"),
    row(.export, .view, "export", "a course into a file"),
    row(.undo, .view, "undo", "undo, while offered", "U"),
    row(.help, .view, "help", "every key", "?", .key(.function(1))),
    row(.tour, .view, "show me around", "walk through a course"),
    row(.quit, .view, "quit", "leave Waymark", "q", .control("c")),
  ]

  /// Additional names by which the palette finds commands.
  package static let synonyms: [Command: [String]] = [
    .open: ["open outside", "outside", "browser"], .notes: ["export notes"],
    .headings: ["contents", "table of contents", "outline", "sections"],
  ]

  /// Ctrl-C quits from any screen, regardless of other bindings.
  package static let quitKeys = KeyEvent(.character("c"), modifiers: .control)

  /// Returns whether a key quits from any screen.
  package static func isQuitKey(_ key: KeyEvent) -> Bool { key.isInterrupt }

  package let rows: [Row]
  private let commands: [KeyEvent: Command]

  /// Creates the bindings of the table, with changes.
  ///
  /// - Parameter changes: The keys of commands that differ from the table. A key in `changes` is removed from its
  ///   default command. A command may be left without keys.
  package init(changing changes: [Command: [KeyEvent]] = [:]) {
    let changedKeys = Set(changes.values.joined())
    rows = Self.rows.map { row in
      var row = row
      row.keys = changes[row.command] ?? row.keys.filter { !changedKeys.contains($0) }
      if row.command == .quit, !row.keys.contains(Self.quitKeys) { row.keys.append(Self.quitKeys) }
      return row
    }
    commands = Dictionary(
      rows.flatMap { row in row.keys.map { ($0, row.command) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the command of a key press, or `nil` if the key is not bound or was released.
  package func command(for event: KeyEvent) -> Command? {
    guard event.phase != .release else { return nil }
    if let command = commands[KeyEvent(event.key, modifiers: event.modifiers)] { return command }
    if Self.isQuitKey(event) { return .quit }
    // The character already reflects the Shift key.
    guard case .character = event.key, event.modifiers == .shift else { return nil }
    return commands[KeyEvent(event.key)]
  }

  /// Returns the label of the key to show instead of a key of the default bindings.
  ///
  /// Screens specify keys by their labels in the default bindings. The returned label is that of the learner's key for
  /// the same command. Returns `nil` if the command has no key, and `label` itself if it does not belong to a default
  /// key.
  package func label(insteadOf label: String, symbols: Symbols) -> String? {
    guard let row = Self.rows.first(where: { $0.keys.contains { $0.label(symbols) == label } }) else { return label }
    let keys = self.row(of: row.command)?.keys.map { $0.label(symbols) } ?? []
    // A screen may specify the second key of a command, such as Esc. That key is kept if it is still bound; otherwise,
    // the command's current first key is shown.
    return label != row.keys.first?.label(symbols) && keys.contains(label) ? label : keys.first
  }

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
    _ command: Command, _ group: Group, _ name: String, _ explanation: String, _ names: Name...
  ) -> Row {
    Row(command: command, group: group, name: name, explanation: explanation, keys: names.map(\.event))
  }
}

/// The notation of keys: symbols on screen, names in the settings file.
extension KeyEvent {
  /// The keys that have a name instead of a character, except for the function keys.
  private static let namedKeys: [Key] = [
    .enter, .tab, .character(" "), .backspace, .escape, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
    .insert, .delete,
  ]

  /// The modifiers that a settings file can name.
  private static let namedModifiers: [KeyModifiers] = [.control, .alt, .shift]

  /// The names of ``namedKeys``, for messages.
  package static var knownNames: [String] { namedKeys.map(\.description) }

  /// Parses a key in the notation of the settings file: `j`, `Enter`, `Ctrl-C`, `Alt-Left`, `F5`.
  ///
  /// Case is ignored in names and in characters with a modifier. Characters without a modifier are case-sensitive.
  package init?(name text: String) {
    var remaining = Substring(text)
    var modifiers: KeyModifiers = []
    while let hyphen = remaining.firstIndex(of: "-"), hyphen != remaining.startIndex,
      remaining.index(after: hyphen) != remaining.endIndex,
      let modifier = Self.namedModifiers.first(where: {
        $0.description.lowercased() == remaining[...hyphen].lowercased()
      })
    {
      modifiers.insert(modifier)
      remaining = remaining[remaining.index(after: hyphen)...]
    }
    if let key = Self.namedKeys.first(where: { $0.description.lowercased() == remaining.lowercased() }) {
      self.init(key, modifiers: modifiers)
    } else if remaining.count == 1, let character = remaining.first, !character.isWhitespace,
      !modifiers.contains(.shift)
    {
      let isPlain = modifiers.isEmpty
      self.init(.character(isPlain ? character : Character(character.lowercased())), modifiers: modifiers)
    } else if remaining.first == "f" || remaining.first == "F", let number = Int(remaining.dropFirst()),
      (1...35).contains(number)
    {
      self.init(.function(number), modifiers: modifiers)
    } else {
      return nil
    }
  }

  /// The key as a settings file writes it.
  package var name: String { KeyEvent(key, modifiers: modifiers).description }

  /// The key as the screen shows it.
  package func label(_ symbols: Symbols) -> String {
    switch key {
    case .up: "\(modifiers)\(symbols.arrows[0])"
    case .down: "\(modifiers)\(symbols.arrows[1])"
    case .left: "\(modifiers)\(symbols.arrows[2])"
    case .right: "\(modifiers)\(symbols.arrows[3])"
    case .enter: "\(modifiers)\(symbols.enter)"
    default: name
    }
  }
}

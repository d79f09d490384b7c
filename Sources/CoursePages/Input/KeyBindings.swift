package import TextCanvas

/// The mapping of keys to commands. The screen shows the first key of each row.
///
/// To bind another key, add it to the row of its command. A key may be in only one row; a test checks this. Help, the
/// palette and the settings file derive their lists of commands from this table.
package struct KeyBindings: Hashable {
  /// The topic of a command. Help shows one group after the other.
  package enum Group: String, CaseIterable {
    case choose = "Select and open"
    case navigate = "Navigate"
    case read = "Read"
    case view = "View and manage"
  }

  package struct Row: Hashable {
    package let command: Command
    package let group: Group
    /// The name in the settings file, where hyphens replace its spaces.
    package let name: String
    /// The name in the palette.
    package var title: String { KeyBindings.titles[command] ?? name }
    /// A short description for help.
    package var explanation: String
    package var keys: [KeyEvent]
  }

  package static let rows: [Row] = [
    row(
      .choosePrevious, .choose, "choose previous", "select the previous", .key(.up), "k", .control("p"), .control("y")),
    row(.chooseNext, .choose, "choose next", "select the next", .key(.down), "j", .control("n"), .control("e")),
    row(.chooseFirst, .choose, "choose first", "select the first", .key(.home), "g", "<"),
    row(.chooseLast, .choose, "choose last", "select the last", .key(.end), "G", ">"),
    row(.open, .choose, "open", "open the selection", .key(.enter), .key(.right), "l"),
    row(.up, .choose, "up", "go up, or close", .key(.left), "h", .key(.backspace)),
    row(.leave, .choose, "leave", "deselect, or go up", .key(.escape)),
    row(.continueCourse, .navigate, "go on", "continue the course", "."),
    row(.next, .navigate, "next", "go to the next", "n"),
    row(.previous, .navigate, "previous", "go to the previous", "p"),
    row(.back, .navigate, "back", "go back", .alt(.left), "H", .control("o")),
    row(.forward, .navigate, "forward", "go forward", .alt(.right), "L"),
    row(.find, .navigate, "find", "find text", "/"),
    row(.previousMatch, .navigate, "previous match", "go to previous match", "N"),
    row(.showPalette, .navigate, "go to", "run a command", ":"),
    row(.headings, .navigate, "headings", "list the headings", "#"),
    row(.toggleBookmark, .navigate, "mark", "bookmark this place", "m"),
    row(.showBookmarks, .navigate, "marks", "list bookmarks", "'"),
    row(.tab(0), .navigate, "tab learn", "open Learn", "1"),
    row(.tab(1), .navigate, "tab find", "open Find", "2"),
    row(.tab(2), .navigate, "tab history", "open History", "3"),
    row(.tab(3), .navigate, "tab review", "open Review", "4"),
    row(.nextTab, .navigate, "next tab", "next tab, link, kind", .key(.tab)),
    row(.previousTab, .navigate, "previous tab", "previous tab or link", .shift(.tab)),
    row(.switchPane, .navigate, "other pane", "focus the preview", .control("w")),
    row(.readOn, .read, "read on", "read more", " "),
    row(.pageDown, .read, "page down", "scroll a page down", .key(.pageDown), .control("f"), .control("v")),
    row(.pageBack, .read, "page back", "scroll a page up", "b", .key(.pageUp), .control("b")),
    row(.halfPageDown, .read, "scroll down", "half a page down", "d", .control("d")),
    row(.halfPageUp, .read, "scroll up", "half a page up", "u", .control("u")),
    row(.toggleDone, .read, "done", "mark as done", "x"),
    row(.restart, .read, "again", "start again", "r"),
    row(.makeCard, .read, "card", "make a card", "c"),
    row(.suspendCard, .read, "suspend", "suspend a card", "s"),
    row(.previousBlock, .read, "block before", "select block above", "{"),
    row(.nextBlock, .read, "block", "select block below", "}"),
    row(.wrap, .read, "wrap", "wrap long lines", "w"),
    row(.note, .read, "note", "write a note", "e"),
    row(.highlight, .read, "highlight", "highlight text", "M"),
    row(.notes, .read, "notes", "list notes", "\""),
    row(.copy, .read, "copy", "copy code, link, path", "y"),
    row(.filter, .view, "filter", "filter the history", "f"),
    row(.wrongAnswers, .view, "wrong answers", "list wrong answers"),
    row(.layout, .view, "layout", "switch cards and list", "v"),
    row(.wider, .view, "wider", "make lines longer", "+"),
    row(.narrower, .view, "narrower", "make lines shorter", "-"),
    row(.info, .view, "info", "show information", "i"),
    row(.add, .view, "add", "add a course", "a"),
    row(.settings, .view, "settings", "change settings", ","),
    row(.rename, .view, "rename", "rename a place"),
    row(.remove, .view, "remove", "delete a course"),
    row(.importAgain, .view, "import again", "update a course"),
    row(.export, .view, "export", "export a course"),
    row(.undo, .view, "undo", "undo a change", "U"),
    row(.help, .view, "help", "list all keys", "?", .key(.function(1))),
    row(.tour, .view, "show me around", "watch a short tour"),
    row(.quit, .view, "quit", "quit Waymark", "q", .control("c")),
  ]

  /// The names that the palette shows instead of the names in the settings file, which never change.
  private static let titles: [Command: String] = [
    .choosePrevious: "select previous", .chooseNext: "select next", .chooseFirst: "select first",
    .chooseLast: "select last", .continueCourse: "continue", .toggleBookmark: "bookmark", .showBookmarks: "bookmarks",
    .switchPane: "preview", .pageBack: "page up", .restart: "retry", .previousBlock: "previous block",
    .nextBlock: "next block", .tour: "tour",
  ]

  /// Additional names by which the palette finds commands.
  package static let synonyms: [Command: [String]] = [
    .open: ["open outside", "outside", "browser"], .notes: ["export notes"],
    .headings: ["contents", "table of contents", "outline", "sections"],
  ]

  /// Ctrl-C quits from any screen, regardless of other bindings.
  package static let quitKeys = KeyEvent(.character("c"), modifiers: .control)

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
    if event.isInterrupt { return .quit }
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

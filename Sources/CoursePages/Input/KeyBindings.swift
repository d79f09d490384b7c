package import TextCanvas

/// The mapping of keys to commands: the rows of ``KeyRow/all`` with the learner's keys.
package struct KeyBindings: Hashable {
  /// Ctrl-C quits from any screen, regardless of other bindings.
  package static let quitKeys = KeyEvent(.character("c"), modifiers: .control)

  /// The keys that always belong to their commands, so that every screen can be left, and every command without a key can
  /// be run by its name.
  static let reserved: [(key: KeyEvent, command: Command)] = [
    (quitKeys, .quit), (KeyEvent(.escape), .leave), (KeyEvent(.character(":")), .showPalette),
  ]

  package let rows: [KeyRow]
  private let rowsByKey: [KeyEvent: [KeyRow]]
  private let rowsByContext: [KeyContext: [KeyRow]]

  /// Creates the bindings of the table, with changes.
  ///
  /// A command may be left without keys if the palette can run it. Otherwise it keeps its first default key.
  ///
  /// - Parameter changes: The keys of commands that differ from the table. The default rows of other commands that can
  ///   apply at the same time lose these keys, except those that they share by default.
  package init(changing changes: [Command: [KeyEvent]] = [:]) {
    let changedRows = KeyRow.all.filter { changes[$0.command] != nil }
    rows =
      changes.isEmpty
      ? KeyRow.all
      : KeyRow.all.map { original in
        var row = original
        let isTaken = { key in
          changedRows.contains { changed in
            changes[changed.command]?.contains(key) == true && !changed.keys.contains(key)
              && changed.context.overlaps(original.context)
          }
        }
        row.keys =
          changes[row.command]?.filter { Self.owner(of: $0, besides: original) == nil }
          ?? row.keys.filter { !isTaken($0) }
        if let key = original.reservedKey, !row.keys.contains(key) { row.keys.append(key) }
        return row
      }
    rowsByKey = Dictionary(rows.flatMap { row in row.keys.map { ($0, [row]) } }, uniquingKeysWith: +)
    rowsByContext = Dictionary(grouping: rows, by: \.context)
  }

  /// Returns the row to which a key always belongs when the given row applies, or `nil` if the row can have the key.
  static func owner(of key: KeyEvent, besides row: KeyRow) -> KeyRow? {
    guard !row.keys.contains(key) else { return nil }
    if let command = reserved.first(where: { $0.key == key })?.command, let owner = KeyRow.of(command),
      owner.context.overlaps(row.context)
    {
      return owner
    }
    return KeyRow.all.first { $0.context == row.context && !row.context.hasPalette && $0.reservedKey == key }
  }

  /// Returns the rows of a key press, in the order of the table. Empty if the key is not bound or was released.
  package func rows(for event: KeyEvent) -> [KeyRow] {
    guard event.phase != .release else { return [] }
    if let rows = rowsByKey[KeyEvent(event.key, modifiers: event.modifiers)] { return rows }
    if event.isInterrupt { return [row(of: .quit)].compactMap { $0 } }
    // The character already reflects the Shift key.
    guard case .character = event.key, event.modifiers == .shift else { return [] }
    return rowsByKey[KeyEvent(event.key)] ?? []
  }

  /// Returns the rows of a context, in the order of the table.
  package func rows(in context: KeyContext) -> [KeyRow] { rowsByContext[context] ?? [] }

  package func row(of command: Command) -> KeyRow? { rows.first { $0.command == command } }
}

extension KeyRow {
  /// The key that the row cannot lose, or `nil` if there is none.
  var reservedKey: KeyEvent? {
    KeyBindings.reserved.first { $0.command == command }?.key ?? (context.hasPalette ? nil : keys.first)
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
    if remaining.count == 1, let character = remaining.first, !character.isWhitespace, !modifiers.contains(.shift) {
      let isPlain = modifiers.isEmpty
      self.init(.character(isPlain ? character : Character(character.lowercased())), modifiers: modifiers)
    } else if let key = Self.namedKeys.first(where: { $0.description.lowercased() == remaining.lowercased() }) {
      self.init(key, modifiers: modifiers)
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

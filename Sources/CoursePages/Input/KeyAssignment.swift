package import TextCanvas

/// The effect of a key that is pressed to change the keys of a command.
package enum KeyAssignment: Hashable, Sendable {
  /// The keys do not change, for this reason. It continues a sentence that begins with the key.
  case refused(String)
  /// The keys of each command whose entry in the settings file changes, and the commands that lose the key.
  case changes([Command: [KeyEvent]], losers: [KeyRow])
}

extension KeyBindings {
  /// Returns the effect of a key on the keys of a command. A key that the command has is removed. Another key is added
  /// before its keys, and taken from the commands that can apply on the same screen.
  ///
  /// - Parameter settings: The settings from which these bindings were made.
  package func assignment(of key: KeyEvent, to command: Command, in settings: Settings) -> KeyAssignment {
    guard let row = row(of: command), let original = KeyRow.of(command) else { return .changes([:], losers: []) }
    guard KeyEvent(name: key.name) == key else {
      return .refused("cannot be the key of \(row.name). The settings file has no name for this key.")
    }
    if row.keys.contains(key) {
      guard original.reservedKey != key else {
        return .refused("cannot be removed from \(row.name), which must keep it.")
      }
      return .changes([command: row.keys.filter { $0 != key }], losers: [])
    }
    if let owner = Self.owner(of: key, besides: original) {
      return .refused(
        "cannot be the key of \(row.name). It must stay the key of \(owner.name): \(owner.sentence).")
    }
    let losers = rows.filter { other in
      other.command != command && other.keys.contains(key) && other.context.overlaps(row.context)
        && !(original.keys.contains(key) && KeyRow.of(other.command)?.keys.contains(key) == true)
    }
    // A command that is not in the file loses a default key without an entry.
    let entries = losers.compactMap { loser in
      settings.keys?[loser.command].map { keys in (loser.command, keys.filter { $0 != key }) }
    }
    return .changes([command: [key] + row.keys].merging(entries) { $1 }, losers: losers)
  }
}

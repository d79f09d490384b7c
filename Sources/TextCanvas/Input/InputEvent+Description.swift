extension InputEvent: CustomStringConvertible {
  /// The event as text, such as `Ctrl-W` or `Left button pressed at 3, 4`. The text of a paste is not included.
  public var description: String {
    switch self {
    case .key(let key): key.description
    case .mouse(let mouse): mouse.description
    case .paste(let text): "Paste of \(text.count) characters"
    case .focus(let isFocused): isFocused ? "Focus gained" : "Focus lost"
    case .resize(let size): "Resize to \(size.columns) × \(size.rows)"
    }
  }
}

extension KeyEvent: CustomStringConvertible {
  /// The key with its modifiers, such as `Ctrl-W`, `Shift-Tab` or `F5`, followed by `repeated` or `released` if
  /// applicable.
  ///
  /// A character with Control is in upper case, as on keyboards.
  public var description: String {
    var name = key.description
    if case .character(let character) = key, modifiers.contains(.control), character != " " {
      name = character.uppercased()
    }
    return switch phase {
    case .press: "\(modifiers)\(name)"
    case .repeat: "\(modifiers)\(name) repeated"
    case .release: "\(modifiers)\(name) released"
    }
  }
}

extension KeyModifiers: CustomStringConvertible {
  private static let names: [(modifier: KeyModifiers, name: String)] = [
    (.control, "Ctrl"), (.alt, "Alt"), (.shift, "Shift"), (.command, "Cmd"),
  ]

  /// The modifiers as a prefix for the name of a key, such as `Ctrl-Alt-`. Empty without modifiers.
  public var description: String {
    Self.names.filter { contains($0.modifier) }.map { $0.name + "-" }.joined()
  }
}

extension Key: CustomStringConvertible {
  /// The name of the key, such as `PageUp` or `F5`. A character is its own name, except for `Space`.
  public var description: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .enter: "Enter"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .escape: "Esc"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    case .insert: "Insert"
    case .delete: "Delete"
    case .function(let number): "F\(number)"
    }
  }
}

extension MouseEvent: CustomStringConvertible {
  /// The action and the cell, such as `Ctrl-Left button pressed at 3, 4`. Columns and rows are numbered from 0.
  public var description: String { "\(modifiers)\(action) at \(position.column), \(position.row)" }
}

extension MouseEvent.Action: CustomStringConvertible {
  /// The action, such as `Left button pressed` or `Scroll by 0, 3`.
  public var description: String {
    switch self {
    case .press(let button): "\(button) button pressed"
    case .release(let button): "\(button) button released"
    case .drag(let button): "\(button) button dragged"
    case .move: "Moved"
    case .scroll(let columns, let rows): "Scroll by \(columns), \(rows)"
    }
  }
}

extension MouseEvent.Button: CustomStringConvertible {
  /// The name of the button, such as `Left`. Other buttons have a number.
  public var description: String {
    switch self {
    case .left: "Left"
    case .middle: "Middle"
    case .right: "Right"
    case .back: "Back"
    case .forward: "Forward"
    case .other(let number): "Number \(number)"
    }
  }
}

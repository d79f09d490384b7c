internal import TextCanvas

/// Which key means which command. One row a command; the first key of a row is the one that is shown.
///
/// To bind another key, add it to its row. A key may stand in one row only; a test holds that.
struct KeyBindings {
  struct Row {
    let command: Command
    let keys: [KeyEvent]
  }

  static let rows: [Row] = [
    row(.choosePrevious, .key(.up), "k"),
    row(.chooseNext, .key(.down), "j"),
    row(.chooseFirst, .key(.home), "g"),
    row(.chooseLast, .key(.end), "G"),
    row(.open, .key(.enter), .key(.right), "l"),
    row(.up, .key(.left), "h", .key(.backspace), .key(.escape)),
    row(.readOn, " ", .key(.pageDown)),
    row(.pageBack, "b", .key(.pageUp)),
    row(.next, "n"),
    row(.previous, "p"),
    row(.back, .alt(.left), "H"),
    row(.forward, .alt(.right), "L"),
    row(.find, "/"),
    row(.goTo, ":"),
    row(.goOn, "."),
    row(.mark, "m"),
    row(.marks, "'"),
    row(.toggleDone, "x"),
    row(.copy, "y"),
    row(.layout, "v"),
    row(.info, "i"),
    row(.tab(0), "1"),
    row(.tab(1), "2"),
    row(.tab(2), "3"),
    row(.nextTab, .key(.tab)),
    row(.previousTab, .shift(.tab)),
    row(.again, "r"),
    row(.help, "?"),
    row(.quit, "q", .control("c")),
    row(.add, "a"),
  ]

  private let commands: [KeyEvent: Command]

  init() {
    commands = Dictionary(
      Self.rows.flatMap { row in row.keys.map { ($0, row.command) } }, uniquingKeysWith: { first, _ in first })
  }

  /// What a key asks for; `nil` where it asks for nothing, or is let go.
  func command(for event: KeyEvent) -> Command? {
    guard event.phase != .release else { return nil }
    if let command = commands[KeyEvent(event.key, modifiers: event.modifiers)] { return command }
    // Shift is part of the character that it makes.
    guard case .character = event.key, event.modifiers == .shift else { return nil }
    return commands[KeyEvent(event.key)]
  }

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

  private static func row(_ command: Command, _ names: Name...) -> Row {
    Row(command: command, keys: names.map(\.event))
  }
}

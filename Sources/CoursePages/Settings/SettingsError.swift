package import LearningModel

/// A mistake in settings, or the reason why the settings file cannot be read or written.
package enum SettingsError: ExplainedError, Hashable {
  /// The file exists but cannot be read.
  case unreadable(file: String, reason: String)
  /// The file is longer than ``SettingsFile/maximumBytes``.
  case tooLong(file: String, bytes: Int)
  /// The file is not valid YAML.
  case notYAML(place: String, reason: String)
  /// The file is not valid UTF-8.
  case notText(place: String)
  /// The file, or `keys` in it, is not a mapping of names to values.
  case notPairs(name: String, place: String)
  /// A name occurs twice.
  case twice(name: String, place: String)
  /// There is no such setting or command. The nearest names are suggested.
  case unknownName(name: String, place: String, isCommand: Bool, nearest: [String])
  /// There is no colour of that name. The nearest names are suggested.
  case unknownColour(name: String, place: String, nearest: [String], all: [String])
  /// The setting cannot have this value. The value is `nil` if it is missing or not a scalar.
  case badValue(name: String, value: String?, place: String, expected: String)
  /// The environment variable has a value that is invalid for its setting.
  case badVariable(name: String, value: String, expected: String)
  /// There is no key of that name.
  case unknownKey(key: String, command: String, place: String)
  /// The list of a command's keys contains an empty key.
  case noKey(command: String, place: String)
  /// A key is bound to two commands, or is reserved for quitting.
  case keyTaken(key: String, command: String, by: String, place: String)
  /// The file is written in a form in which a single setting cannot be changed.
  case cannotChange(name: String, file: String)
  /// The file cannot be written.
  case unwritable(file: String)
  /// At least two mistakes, in the order of the file.
  case several([SettingsError])

  /// The mistakes, each on its own.
  package var each: [SettingsError] { if case .several(let all) = self { all } else { [self] } }

  /// The file and the line, or `nil` if the mistake is not in a line.
  private var place: String? {
    switch self {
    case .notYAML(let place, _), .notText(let place), .notPairs(_, let place), .twice(_, let place),
      .unknownName(_, let place, _, _), .unknownColour(_, let place, _, _), .badValue(_, _, let place, _),
      .unknownKey(_, _, let place), .noKey(_, let place), .keyTaken(_, _, _, let place):
      place
    default: nil
    }
  }

  /// The number of the line, and the message without the file: `'theme': 'bright' is not a valid value. …`.
  package var inLine: (number: String, reason: String)? {
    place.map { place in
      (
        String(place.split(separator: ":").last ?? ""),
        description.replacing("Could not read ", with: "", maxReplacements: 1)
          .replacing(" at \(place):", with: ":", maxReplacements: 1)
      )
    }
  }

  /// Whether the line belongs to `keys`.
  package var isAboutKeys: Bool {
    switch self {
    case .unknownKey, .noKey, .keyTaken, .twice: true
    case .unknownName(_, _, let isCommand, _): isCommand
    case .notPairs(let name, _): name == "keys"
    default: false
    }
  }

  /// The maximum number of mistakes that the message lists.
  static let maximumNamed = 20

  package var kind: FailureKind {
    switch self {
    case .unreadable, .unwritable: .noPermission
    default: .badData
    }
  }

  /// The message about mistakes with which the program starts nevertheless.
  package var startNotice: String { hasDefault ? "\(description) Until then, the default is used." : description }

  /// Whether a setting or a command with a default is affected. `false` if a name is unknown.
  private var hasDefault: Bool {
    switch self {
    case .unknownName: false
    case .several(let mistakes): mistakes.contains { $0.hasDefault }
    default: true
    }
  }

  /// The message: the mistake and how to fix it.
  package var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "Could not read the settings at \(file): \(reason). Check its permissions, or move it away."
    case .tooLong(let file, let bytes):
      "Could not read the settings at \(file): it has \(bytes) bytes. Settings have at most \(SettingsFile.maximumBytes)."
    case .notYAML(let place, let reason):
      "Could not read the settings at \(place): \(reason). Write each setting as 'name: value' on a line of its own."
    case .notText(let place):
      "Could not read the settings at \(place): the file is not valid UTF-8. Save the file as UTF-8."
    case .notPairs(let name, let place):
      "Could not read \(quoted: name) at \(place): it is not a mapping of names to values. "
        + "Write each entry as 'name: value' on a line of its own."
    case .twice(let name, let place):
      "Could not read \(quoted: name) at \(place): it occurs twice. Remove one of the lines."
    case .unknownName(let name, let place, let isCommand, let nearest):
      "Could not read \(quoted: name) at \(place): there is no such \(isCommand ? "command" : "setting"). "
        + (nearest.isEmpty
          ? isCommand
            ? "The palette (:) lists the commands."
            : "Use one of \(SettingsFile.names.joined(separator: ", "))."
          : "Did you mean \(nearest.map { "\(quoted: $0)" }.joined(separator: ", "))?")
    case .unknownColour(let name, let place, let nearest, let all):
      "Could not read \(quoted: name) at \(place): there is no colour with this name. "
        + (nearest.isEmpty
          ? "Use one of \(all.joined(separator: ", "))."
          : "Did you mean \(nearest.map { "\(quoted: $0)" }.joined(separator: ", "))?")
    case .badValue(let name, let value?, let place, let expected):
      "Could not read \(quoted: name) at \(place): \(quoted: value) is not a valid value. Write \(expected)."
    case .badValue(let name, nil, let place, let expected):
      "Could not read \(quoted: name) at \(place): a single value is required. Write \(expected)."
    case .badVariable(let name, let value, let expected):
      "Could not read \(quoted: name) in the environment: \(quoted: value) is not a valid value. Write \(expected)."
    case .unknownKey(let key, let command, let place):
      "Could not read \(quoted: command) at \(place): \(quoted: key) is not the name of a key. "
        + "Write a character, a name such as Enter, PageDown or F5, or one of them after Ctrl-, Alt- or Shift-."
    case .noKey(let command, let place):
      "Could not read \(quoted: command) at \(place): no key is given. Write a key, or [] for no key."
    case .keyTaken(let key, let command, let by, let place):
      "Could not read \(quoted: command) at \(place): \(quoted: key) is already the key of \(quoted: by). Give one of them another key."
    case .cannotChange(let name, let file):
      "Could not write \(quoted: name) to \(file): it is not on a line of its own. Change it with an editor."
    case .unwritable(let file):
      "Could not write the settings to \(file): the file cannot be created. Check the permissions of its folder."
    case .several(let mistakes):
      (mistakes.prefix(Self.maximumNamed).map(\.description)
        + (mistakes.count > Self.maximumNamed ? ["There are \(mistakes.count - Self.maximumNamed) more errors."] : []))
        .joined(separator: "\n")
    }
  }
}

/// Collects the mistakes of settings, so that the user can fix all of them at once.
struct SettingsErrors {
  private var all: [SettingsError] = []

  /// Adds a mistake. Reading continues.
  mutating func append(_ mistake: SettingsError) { all.append(mistake) }

  /// The only mistake, or all of them as ``SettingsError/several(_:)``. `nil` if there is none.
  var error: SettingsError? { all.count > 1 ? .several(all) : all.first }
}

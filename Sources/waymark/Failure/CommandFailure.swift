import LearningModel

/// The errors of the command line. The services have errors of their own.
enum CommandFailure: ExplainedError, Hashable {
  /// Standard output is not a terminal, which the browser requires.
  case noTerminal
  /// The first word is not a command, a place or a file. The nearest names are suggested.
  case unknownWord(String, commands: [String], places: [String], files: [String])
  /// A source to import does not exist. The files with the nearest names are suggested.
  case noSource(String, nearest: [String])
  /// A source has too many files for an import without confirmation, and there is no terminal to confirm it.
  case manyFiles(source: String, limit: Int)
  /// Standard input is too long.
  case inputTooLong(limit: Int)
  /// A command has no subcommand of this name.
  case unknownSubcommand(String, of: String, nearest: [String])
  /// The arguments of `waymark help` name no command.
  case unknownHelpTopic(String, nearest: [String])
  /// The manual does not contain the words. The pages with the nearest names are suggested.
  case notInManual(String, nearest: [String])
  /// `--record` was used in linear mode.
  case cannotRecordLines(file: String)
  /// A line of `nav run` is too long.
  case lineTooLong(limit: Int)
  /// The command line has too many arguments.
  case tooManyArguments(Int)
  /// A line of `nav run` is not a JSON object with an operation.
  case unreadableLine(text: String)
  /// An operation of `nav run` needs a place.
  case placeMissing(operation: String)
  /// `nav run` has no such operation.
  case unknownOperation(name: String)
  /// An irreversible command needs confirmation, and there is no terminal to ask for it.
  case unconfirmed(what: String)
  /// The list of courses cannot be bookmarked.
  case rootMarked
  /// The activity does not contain the words that a note refers to.
  case textNotFound(String, place: String)
  /// No note, or more than one, has an ID with this prefix.
  case unknownNote(String, count: Int)
  /// A file cannot be created.
  case cannotCreate(file: String, reason: String)
  /// A file with the name exists, and replacing it was not allowed.
  case fileExists(file: String)
  /// There is no such option. The nearest one is suggested.
  case unknownOption(String, nearest: String)
  /// The folder contains an earlier export.
  case exportExists(folder: String)
  /// The file is the database or one of its auxiliary files.
  case isDatabase(file: String)
  /// A file does not exist or cannot be read.
  case cannotRead(file: String)
  /// Neither the command nor the settings name a server.
  case noServer(settings: String)
  /// An argument is not valid UTF-8.
  case argumentNotUTF8(String)
  /// The value of an environment variable is not valid UTF-8.
  case variableNotUTF8(String, String)
  /// Writing to a file failed.
  case cannotWrite(file: String, reason: String)

  var kind: FailureKind {
    switch self {
    case .noTerminal: .unavailable
    case .unknownWord, .noSource, .notInManual, .cannotRead, .textNotFound, .unknownNote: .notFound
    case .unreadableLine, .lineTooLong: .badData
    case .placeMissing, .unknownOperation, .unconfirmed, .rootMarked, .noServer, .manyFiles, .inputTooLong: .refused
    case .unknownSubcommand, .unknownHelpTopic, .unknownOption, .cannotRecordLines, .argumentNotUTF8,
      .variableNotUTF8, .tooManyArguments:
      .invalidArgument
    case .cannotCreate, .fileExists, .exportExists, .isDatabase: .cannotCreate
    case .cannotWrite: .inputOutput
    }
  }

  var description: String {
    switch self {
    case .noTerminal:
      "Could not open the browser: standard output is not a terminal. "
        + "Run it in a terminal, use --linear for plain lines, or print content with 'waymark tree' and 'waymark show'."
    case .unknownWord(let word, let commands, let places, let files):
      "Could not open \(quoted: word): there is no such command, place or file. "
        + Self.suggestion(commands, places, files)
    case .noSource(let source, let nearest):
      "Could not import \(quoted: source): there is no such file or folder. "
        + (nearest.isEmpty
          ? "Check the path." : "Did you mean " + nearest.map { "\(quoted: $0)" }.joined(separator: ", or ") + "?")
    case .manyFiles(let source, let limit):
      "Could not open \(quoted: source): it has more than \(limit) files, and there is no terminal to confirm the import. "
        + "Import it with 'waymark import'."
    case .inputTooLong(let limit):
      "Could not open standard input: it is longer than \(limit >> 20) MiB. Save it as a file and open the file."
    case .textNotFound(let text, let place):
      text.isEmpty
        ? "Could not add a note to \(quoted: place): it has no text. Name an activity with a text; 'waymark tree' lists them."
        : "Could not add a note to \(quoted: place): its text does not contain \(quoted: text). "
          + "Copy the words from \(command: "waymark", "show", place)."
    case .unknownNote(let name, let count):
      "Could not remove the note \(quoted: name): "
        + (count == 0 ? "no note has this id" : "the ids of \(count) notes begin with it")
        + ". List the ids with 'waymark notes --format jsonl'."
    case .unknownSubcommand(let word, let command, let nearest):
      "Could not run \(command: "waymark", command, word): there is no such command. "
        + (nearest.isEmpty
          ? "List the commands with \(command: "waymark", command, "--help")."
          : "Did you mean " + nearest.map { "\(command: "waymark", command, $0)" }.joined(separator: ", or ") + "?")
    case .unknownHelpTopic(let topic, let nearest):
      "Could not show the help for \(quoted: topic): there is no such command. "
        + (nearest.isEmpty
          ? "List the commands with 'waymark --help'."
          : "Did you mean "
            + nearest.map { "\(command: ["waymark", "help"] + $0.split(separator: " ").map(String.init))" }.joined(
              separator: ", or ") + "?")
    case .notInManual(let words, let nearest):
      "Could not find \(quoted: words) in the manual. "
        + (nearest.isEmpty
          ? "List its pages with 'waymark manual | cat'."
          : "Did you mean " + nearest.map { "\(command: "waymark", "manual", $0)" }.joined(separator: ", or ") + "?")
    case .cannotRecordLines(let file):
      "Could not record \(quoted: file): linear mode cannot be recorded. "
        + "Omit --record, or save the lines with 'waymark --linear | tee FILE'."
    case .unreadableLine(let text):
      "Could not read \(quoted: text): the line is not a JSON object with an operation. "
        + #"Write, for example, {"operation": "push", "place": "negotiating"}."#
    case .lineTooLong(let limit):
      "Could not read a line: it is longer than \(limit >> 20) MiB. Shorten it."
    case .tooManyArguments(let count):
      "Could not read the command line: it has \(count) arguments, and the maximum is \(Self.maximumArguments). "
        + "Quote words that belong together, or run the command several times."
    case .placeMissing(let operation):
      "Could not perform \(quoted: operation): the place is missing. "
        + #"Write {"operation": "\#(operation)", "place": "…"}."#
    case .unknownOperation(let name):
      "Could not perform \(quoted: name): there is no such operation. "
        + "Use push, pop, popTo, popToRoot, select, next, previous, open, back, forward or resume."
    case .unconfirmed(let action):
      "Could not \(action): confirmation is required, and there is no terminal to ask for it. Add --yes."
    case .noServer(let settings):
      "Could not synchronise: there is no server in the command or the settings. "
        + "Run 'waymark sync https://school.example', or add 'sync: https://school.example' to \(settings)."
    case .rootMarked:
      "Could not add a bookmark for '/': the list of courses cannot have one. Name a place in a course."
    case .cannotCreate(let file, let reason):
      "Could not create \(quoted: file): \(reason). Choose another path."
    case .fileExists(let file):
      "Could not create \(quoted: file): the file already exists. Choose another name, or replace it with --force."
    case .unknownOption(let option, let nearest):
      "Could not read \(quoted: option): there is no such option. Did you mean \(quoted: nearest)?"
    case .exportExists(let folder):
      "Could not write to the folder \(quoted: folder): it contains an earlier export. "
        + "Choose another name, or replace the export with --force."
    case .isDatabase(let file):
      "Could not create \(quoted: file): it is the open database or one of its files. Choose another name."
    case .cannotRead(let file):
      "Could not read \(quoted: file): the file does not exist or is not readable. Check the path and its permissions."
    case .argumentNotUTF8(let text):
      "Could not read the argument \(quoted: text): it is not UTF-8. Rename the file, or use the path of its folder."
    case .variableNotUTF8(let name, let text):
      "Could not read the variable \(name): its value \(quoted: text) is not UTF-8. Set it to UTF-8 text."
    case .cannotWrite(let file, let reason):
      "Could not write \(quoted: file): \(reason). Check the disk and its free space, or choose another path."
    }
  }

  /// The maximum number of arguments of a command. The argument parser needs time that grows with the square of their
  /// number.
  static let maximumArguments = 1_000

  private static func suggestion(_ commands: [String], _ places: [String], _ files: [String]) -> String {
    let suggestions =
      commands.map { "the command \(command: ["waymark"] + $0.split(separator: " ").map(String.init))" }
      + places.map { "the place \(quoted: $0)" }
      + files.map { "the file \(quoted: $0)" }
    return suggestions.isEmpty
      ? "List the commands with 'waymark --help' and the places with 'waymark tree'."
      : "Did you mean " + suggestions.joined(separator: ", or ") + "?"
  }
}

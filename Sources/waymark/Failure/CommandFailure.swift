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
  case manyFiles(source: String, most: Int)
  /// Standard input is too long.
  case inputTooLong(most: Int)
  /// A command has no subcommand of this name.
  case unknownSubcommand(String, of: String, nearest: [String])
  /// The arguments of `waymark help` name no command.
  case unknownHelpTopic(String, nearest: [String])
  /// `--record` was used in linear mode.
  case cannotRecordLines(file: String)
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
  case wordsNotFound(String, place: String)
  /// No note, or more than one, has an ID with this prefix.
  case unknownNote(String, count: Int)
  /// A file cannot be created.
  case cannotCreate(file: String, reason: String)
  /// A file exists and would be replaced.
  case fileExists(file: String)
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
    case .unknownWord, .noSource, .cannotRead, .wordsNotFound, .unknownNote: .notFound
    case .unreadableLine: .badData
    case .placeMissing, .unknownOperation, .unconfirmed, .unknownSubcommand, .unknownHelpTopic, .cannotRecordLines,
      .rootMarked, .noServer, .argumentNotUTF8, .variableNotUTF8, .manyFiles, .inputTooLong:
      .refused
    case .cannotCreate, .fileExists, .isDatabase: .cannotCreate
    case .cannotWrite: .inputOutput
    }
  }

  var description: String {
    switch self {
    case .noTerminal:
      "Could not open the browser: standard output is not a terminal. "
        + "Run it in a terminal, or with --linear, whose lines can go anywhere; "
        + "'waymark tree' and 'waymark show' print once, and ask nothing."
    case .unknownWord(let word, let commands, let places, let files):
      "Could not open '\(word)': there is no such command, place or file. " + Self.suggestion(commands, places, files)
    case .noSource(let source, let nearest):
      "Could not import '\(source)': there is no such file or folder. "
        + (nearest.isEmpty
          ? "Check the path." : "Did you mean " + nearest.map { "'\($0)'" }.joined(separator: ", or ") + "?")
    case .manyFiles(let source, let most):
      "Could not open '\(source)': it has more than \(most) files, and there is no terminal to confirm the import. "
        + "Run 'waymark import' with it."
    case .inputTooLong(let most):
      "Could not open standard input: it is longer than \(most >> 20) MiB. Save it as a file, and open that."
    case .wordsNotFound(let words, let place):
      words.isEmpty
        ? "Could not write a note in '\(place)': it has no text. Name a text; 'waymark tree' lists what there is."
        : "Could not write a note in '\(place)': '\(words)' is not in its text. "
          + "Copy the words from 'waymark show \(place)'."
    case .unknownNote(let name, let count):
      "Could not take the note '\(name)' away: "
        + (count == 0 ? "there is none of that name" : "\(count) notes have names that begin so")
        + ". See their names with 'waymark notes --format jsonl'."
    case .unknownSubcommand(let word, let command, let nearest):
      "Could not run 'waymark \(command) \(word)': there is no such command. "
        + (nearest.isEmpty
          ? "See what there is with 'waymark \(command) --help'."
          : "Did you mean " + nearest.map { "'waymark \(command) \($0)'" }.joined(separator: ", or ") + "?")
    case .unknownHelpTopic(let words, let nearest):
      "Could not show the help for '\(words)': there is no such command. "
        + (nearest.isEmpty
          ? "See the commands with 'waymark --help'."
          : "Did you mean " + nearest.map { "'waymark help \($0)'" }.joined(separator: ", or ") + "?")
    case .cannotRecordLines(let file):
      "Could not record '\(file)': only the full-screen browser can be recorded, and this session is in plain lines. "
        + "Leave out --record, or keep the lines with 'waymark --linear | tee FILE'."
    case .unreadableLine(let text):
      "Could not read '\(text)': the line is not a JSON object with an operation. "
        + #"Write for example {"operation": "push", "place": "negotiating"}."#
    case .placeMissing(let operation):
      "Could not perform '\(operation)': it needs a place. "
        + #"Write {"operation": "\#(operation)", "place": "…"}."#
    case .unknownOperation(let name):
      "Could not perform '\(name)': there is no such operation. "
        + "Name push, pop, popTo, popToRoot, select, next, previous, open, back, forward or resume."
    case .unconfirmed(let what):
      "Could not \(what): this needs a yes, and nobody can be asked here. Add --yes."
    case .noServer(let settings):
      "Could not synchronise: no server is named. Name one, as in 'waymark sync https://school.example', "
        + "or write 'sync: https://school.example' into \(settings)."
    case .rootMarked:
      "Could not mark '/': it is the list of all courses, and is always at hand. Name a place in one of them."
    case .cannotCreate(let file, let reason):
      "Could not create '\(file)': \(reason). Choose another place."
    case .fileExists(let file):
      "Could not create '\(file)': there is a file of this name already. Choose another name, or replace it with --force."
    case .isDatabase(let file):
      "Could not create '\(file)': it is the database that is in use, or part of it. Choose another name."
    case .cannotRead(let file):
      "Could not read '\(file)': there is no such file, or this user may not read it. Name another."
    case .argumentNotUTF8(let text):
      "Could not read the argument '\(text)': it is not UTF-8. Rename the file, or name the folder that it is in."
    case .variableNotUTF8(let name, let text):
      "Could not read the variable \(name): its value '\(text)' is not UTF-8. Set it to a text in UTF-8."
    case .cannotWrite(let file, let reason):
      "Could not write '\(file)': \(reason). Make room, or choose another place."
    }
  }

  private static func suggestion(_ commands: [String], _ places: [String], _ files: [String]) -> String {
    let meant =
      commands.map { "the command 'waymark \($0)'" } + places.map { "the place '\($0)'" }
      + files.map { "the file '\($0)'" }
    return meant.isEmpty
      ? "See the commands with 'waymark --help' and the places with 'waymark tree'."
      : "Did you mean " + meant.joined(separator: ", or ") + "?"
  }
}

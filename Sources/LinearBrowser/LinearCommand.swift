import CoursePages

/// The commands of linear mode. Their names are in ``LinearCommand/rows``.
enum LinearCommand: Hashable, CaseIterable {
  case more, open, up, courses, next, previous, back, forward, continueCourse
  case showLocation, list, about, link, find
  case turn, known, notKnown, check, again, wrongAnswers, review, reviewAhead, learn, statistics
  case done, notDone, addBookmark, removeBookmark, showBookmarks, note, highlight, notes, removeNote, card, leeches,
    rename, history
  case remove, importAgain, export, copy, settings
  case edit, hint, solution, reset, path
  case addCourse, yes, help, manual, quit

  /// The names and the help of a command.
  struct Row {
    let word: LinearCommand
    /// The names of the command. Help shows the first one. The others are the keys of the full-screen browser and
    /// common synonyms.
    let names: [String]
    /// The argument as shown in help, or `nil` if the command takes none.
    let argument: String?
    let help: String

    init(_ word: LinearCommand, _ names: [String], _ argument: String? = nil, _ help: String) {
      self.word = word
      self.names = names
      self.argument = argument
      self.help = help
    }

    /// Creates the row of a command that the full-screen browser also has, with the same name.
    ///
    /// - Parameters:
    ///   - others: Further names.
    ///   - help: The help of a command that works differently here. If `nil`, the sentence of the full-screen browser.
    init(
      _ word: LinearCommand, as command: Command, _ others: [String] = [], _ argument: String? = nil,
      _ help: String? = nil
    ) {
      let row = KeyRow.of(command)
      let former = (row?.formerNames ?? []).map { $0.replacing("-", with: " ") }
      self.init(
        word, [row?.words ?? ""] + others + former.filter { !others.contains($0) }, argument,
        help ?? row?.sentence ?? "")
    }
  }

  /// All commands in the order of help. To add a command, add its case, its row here, and its action in
  /// ``LinearBrowser``.
  static let rows: [Row] = [
    Row(.more, as: .readOn, ["space"], nil, "read more. An empty line does the same"),
    Row(.open, as: .open, ["o"], "NAME", "open something by its name, or any place by its path"),
    Row(.up, as: .up, ["u", "leave"], nil, "go up to the place that contains this one"),
    Row(.next, as: .next, ["n"]),
    Row(.previous, as: .previous, ["p"]),
    Row(.back, as: .back, ["b"]),
    Row(.forward, as: .forward, ["f"]),
    Row(.continueCourse, as: .continueCourse, ["."]),
    Row(.courses, ["courses", "home"], nil, "go to the list of courses"),
    Row(.showLocation, ["where", "w"], nil, "show where you are, and how you got there"),
    Row(.list, ["list", "l", "repeat"], nil, "show this screen again, or the last part of an activity"),
    Row(.about, as: .info, ["about", "i"], "NUMBER", "show details of this place, or of one in the list"),
    Row(.find, as: .find, ["/"], "WORDS", "find words in the open text, otherwise in all courses"),
    Row(.link, ["link", "links"], "NUMBER", "open a link of a text; without a number, list all"),
    Row(.turn, as: .turn, ["t"]),
    Row(.known, as: .known, ["k"]),
    Row(.notKnown, as: .forgot, ["not known", "unknown", "no"]),
    Row(.check, as: .check, ["c"], nil, "check the answer, or the exercise"),
    Row(.edit, as: .edit, [], nil, "print the files of an exercise, and open them in your editor"),
    Row(.hint, as: .hint, [], nil, "show the next hint of an exercise"),
    Row(.solution, ["solution"], nil, "show the author's solution of an exercise"),
    Row(.reset, ["reset"], nil, "start an exercise again; your files are kept elsewhere"),
    Row(.path, ["path"], nil, "print the work folder of an exercise"),
    Row(.again, as: .restart, ["r"]),
    Row(.wrongAnswers, as: .wrongAnswers, ["wrong"]),
    Row(
      .review, ["review"], "PLACE",
      "review the cards that are due: forgot, knew it, undo, suspend, bury, source, ahead; up ends"),
    Row(.reviewAhead, as: .reviewAhead),
    Row(
      .learn, as: .addCards, ["learn these too"], "PLACE", "add the cards of this place, or of another, to the review"),
    Row(.statistics, ["statistics", "stats"], nil, "list the reviews of the next 14 days and the share remembered"),
    Row(.done, as: .toggleDone, ["x"]),
    Row(.notDone, ["not done"], nil, "mark this activity as not done"),
    Row(.addBookmark, as: .toggleBookmark, ["m"]),
    Row(.removeBookmark, ["unbookmark", "unmark"], nil, "remove the bookmark"),
    Row(.showBookmarks, as: .showBookmarks, ["'"]),
    Row(.note, as: .note, [], "WORDS", "add a note to the text that was read last"),
    Row(.highlight, as: .highlight, [], nil, "highlight the text that was read last"),
    Row(.notes, as: .notes, ["\""]),
    Row(.removeNote, ["unnote"], "NUMBER", "remove the note or card with this number in the list of notes"),
    Row(
      .card, as: .makeCard, [], "NUMBER QUESTION = ANSWER",
      "change your card with this number in the list of notes; without a number, make one of the text that was read last"
    ),
    Row(.leeches, as: .leeches, [], nil, "list the cards that you forgot eight times or more"),
    Row(.rename, as: .rename, [], "NAME", "rename this place; without a name, restore the author's name"),
    Row(.copy, as: .copy, [], nil, "print the path of this place on its own line"),
    Row(.history, ["history", "today"], "today", "list your last steps, or those of today"),
    Row(.addCourse, as: .add, ["import"], "PATH", "add a course: a folder, a book or an archive"),
    Row(.importAgain, as: .importAgain, ["update"]),
    Row(.export, as: .export, [], "FILE", "export this course to a file that ends in .json or .zip"),
    Row(.remove, as: .remove, [], "COURSE", "remove this course, or the one with a number or name"),
    Row(.settings, as: .settings, [], "NAME VALUE", "show the settings or one of them, or save a value"),
    Row(.yes, ["yes", "y"], nil, "confirm a question"),
    Row(.help, as: .help, ["?"], nil, "list the commands"),
    Row(.manual, ["manual"], "WORDS", "read the manual, or its page about something; quit returns here"),
    Row(.quit, as: .quit, ["q", "exit"]),
  ]
}

/// A typed line. Parsing does not depend on the current screen.
enum LinearInput: Hashable {
  case command(LinearCommand, argument: String)
  /// Numbers of list items, links or choices.
  case numbers([Int])
  /// Any other text: a name, or the beginning of one.
  case name(String)

  /// Parses a line.
  init(_ line: String) {
    let text = line.trimmed
    guard !text.isEmpty else {
      self = .command(.more, argument: "")
      return
    }
    if let numbers = Self.numbers(text) {
      self = .numbers(numbers)
    } else if let (command, argument) = Self.command(text) {
      self = .command(command, argument: argument)
    } else {
      self = .name(text)
    }
  }

  /// Parses numbers: `2`, `1 3`, `1, 3` or `1 and 3`.
  static func numbers(_ text: String) -> [Int]? {
    let words = text.split { $0 == " " || $0 == "," }.filter { $0.lowercased() != "and" }
    let numbers = words.compactMap { word in word.allSatisfy { ("0"..."9").contains($0) } ? Int(word) : nil }
    return !numbers.isEmpty && numbers.count == words.count ? numbers : nil
  }

  /// Returns the command with which a text begins, and its argument.
  ///
  /// A command that takes no argument is recognised only if it is the complete text, because a title may begin with the
  /// same word.
  private static func command(_ text: String) -> (LinearCommand, String)? {
    let lower = text.lowercased()
    let candidates = LinearCommand.rows.flatMap { row in row.names.map { (row, $0) } }.sorted {
      $0.1.count > $1.1.count
    }
    for (row, name) in candidates where lower.hasPrefix(name) {
      let remaining = String(text.dropFirst(name.count))
      if remaining.isEmpty { return (row.word, row.word == .history && name == "today" ? name : "") }
      let isSign = name.count == 1 && !(name.first?.isLetter ?? true)
      if row.argument != nil, isSign || remaining.first == " " { return (row.word, remaining.trimmed) }
    }
    return nil
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmed: String {
    let end = reversed().drop { $0.isWhitespace }
    return String(String(end.reversed()).drop { $0.isWhitespace })
  }
}

extension LinearCommand {
  /// Whether a list item whose title begins with the typed line takes precedence over the command.
  var yieldsToTitles: Bool {
    [
      .turn, .known, .notKnown, .check, .again, .review, .learn, .statistics, .edit, .hint, .solution, .reset, .path,
    ].contains(self)
  }

  /// Returns the name of a command.
  static func name(of command: LinearCommand) -> String { rows.first { $0.word == command }?.names[0] ?? "" }
}

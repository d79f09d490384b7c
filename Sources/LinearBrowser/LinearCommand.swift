/// The commands of linear mode. Their names are in ``LinearCommand/rows``.
enum LinearCommand: Hashable, CaseIterable {
  case more, open, up, courses, next, previous, back, forward, continueCourse
  case showLocation, list, about, link, find
  case turn, known, notKnown, check, again, wrongAnswers, review, reviewAhead, learn, statistics
  case done, notDone, addBookmark, removeBookmark, showBookmarks, note, highlight, notes, removeNote, rename, history
  case remove, importAgain, export, copy, settings
  case addCourse, yes, help, quit

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
  }

  /// All commands in the order of help. To add a command, add its case, its row here, and its action in
  /// ``LinearBrowser``.
  static let rows: [Row] = [
    Row(.more, ["more", "space"], nil, "read on. An empty line does the same"),
    Row(.open, ["open", "o"], "NAME", "go to something by its name, or anywhere by its path"),
    Row(.up, ["up", "u", "leave"], nil, "leave, to what this is in"),
    Row(.next, ["next", "n"], nil, "go to what follows"),
    Row(.previous, ["previous", "p"], nil, "go to what comes before"),
    Row(.back, ["back", "b"], nil, "go to where you were before"),
    Row(.forward, ["forward", "f"], nil, "undo back"),
    Row(.continueCourse, ["go on", ".", "continue"], nil, "take up the best thing to do next"),
    Row(.courses, ["courses", "home"], nil, "go to the list of courses"),
    Row(.showLocation, ["where", "w"], nil, "say where you are, and how you came there"),
    Row(.list, ["list", "l", "repeat"], nil, "say this screen again, or what you heard last of an activity"),
    Row(.about, ["about", "i"], "NUMBER", "say more about this place, or about one in the list"),
    Row(.find, ["find", "/"], "WORDS", "look for words in the text that is read, else in all courses"),
    Row(.link, ["link", "links"], "NUMBER", "follow a link of a text; without a number, say them all"),
    Row(.turn, ["turn", "t"], nil, "turn a card over"),
    Row(.known, ["known", "k"], nil, "you knew the card"),
    Row(.notKnown, ["not known", "unknown", "no"], nil, "you did not know it"),
    Row(.check, ["check", "c"], nil, "check the answer that you chose"),
    Row(.again, ["again", "r"], nil, "begin the text, the cards or the quiz once more"),
    Row(
      .wrongAnswers, ["wrong", "wrong answers"], nil,
      "list the questions that you did not answer rightly the last time"),
    Row(
      .review, ["review"], "PLACE",
      "answer the cards that wait: forgot, knew it, undo, suspend, bury, source, ahead; up leaves"),
    Row(.reviewAhead, ["review ahead"], nil, "answer cards of later days now"),
    Row(.learn, ["learn", "learn these too"], "PLACE", "add the cards of this place, or of another, to the review"),
    Row(.statistics, ["statistics", "stats"], nil, "say what comes in 14 days, and how well you remembered"),
    Row(.done, ["done", "x"], nil, "say that this activity is done"),
    Row(.notDone, ["not done"], nil, "take that back"),
    Row(.addBookmark, ["mark", "m"], nil, "mark this place, to find it again"),
    Row(.removeBookmark, ["unmark"], nil, "take the mark away"),
    Row(.showBookmarks, ["marks", "'"], nil, "list what you have marked"),
    Row(.note, ["note"], "WORDS", "write a note about what you heard last"),
    Row(.highlight, ["highlight"], nil, "mark what you heard last, without words of your own"),
    Row(.notes, ["notes", "\""], nil, "list your notes and highlights, those of this text first"),
    Row(.removeNote, ["unnote"], "NUMBER", "take away the note of that number in the list of notes"),
    Row(.rename, ["rename"], "NAME", "give this place another name; alone, its author's again"),
    Row(.copy, ["copy"], nil, "say the path of this place, alone on its line"),
    Row(.history, ["history", "today"], "today", "list your last steps, or those of today"),
    Row(.addCourse, ["import", "add"], "PATH", "add a course: a folder, a book or an archive"),
    Row(.importAgain, ["import again", "update"], nil, "bring in what has changed in this course's source"),
    Row(.export, ["export"], "FILE", "write this course into a file that ends in .json or .zip"),
    Row(.remove, ["remove"], "COURSE", "take away this course, or one of that number or name"),
    Row(.settings, ["settings"], "NAME VALUE", "say the settings, one of them, or write a value"),
    Row(.yes, ["yes", "y"], nil, "do what was asked about"),
    Row(.help, ["help", "?"], nil, "say these words"),
    Row(.quit, ["quit", "q", "exit"], nil, "leave Waymark"),
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
    [.turn, .known, .notKnown, .check, .again, .review, .learn, .statistics].contains(self)
  }

  /// Returns the name of a command.
  static func name(of command: LinearCommand) -> String { rows.first { $0.word == command }?.names[0] ?? "" }
}

package import TextCanvas

/// The kinds of screens on which a key has a meaning. A screen names its contexts, the innermost first.
package enum KeyContext: String, CaseIterable, Sendable {
  case everywhere, page, text, card, quiz, review, find, history, pane, sheet, tour, replay

  /// The contexts that can be active together, the innermost first: those of pages with side panes, of the other tabs, of
  /// overlays, and of playbacks.
  package static let paths: [[KeyContext]] = [
    [.pane, .page, .text, .card, .quiz, .everywhere], [.pane, .review, .page, .card, .quiz, .everywhere],
    [.pane, .find, .page, .everywhere], [.pane, .history, .page, .everywhere],
    [.sheet, .page, .everywhere], [.sheet, .review, .page, .everywhere], [.tour], [.replay],
  ]

  /// Whether both contexts can be active at the same time.
  package func overlaps(_ other: KeyContext) -> Bool { Self.paths.contains { $0.contains(self) && $0.contains(other) } }

  /// Whether the palette opens in this context. In Find, its key is a letter of the query.
  package var hasPalette: Bool { ![.find, .sheet, .tour, .replay].contains(self) }
}

/// A command with its name and its keys.
package struct KeyRow: Hashable, Sendable {
  /// The topic of a command. Help shows one topic after the other.
  package enum Topic: String, CaseIterable, Sendable {
    case choose = "Select and open"
    case navigate = "Navigate"
    case read = "Read"
    case answer = "Answer"
    case view = "View and manage"
  }

  package let command: Command
  package let context: KeyContext
  package let topic: Topic
  /// The name in the settings file, in the palette and in the documentation.
  package let name: String
  /// Names of earlier versions, which a settings file may still contain.
  package let formerNames: [String]
  /// A short description for help and the palette.
  package let sentence: String
  package internal(set) var keys: [KeyEvent]

  /// The name without its prefix, with spaces, as linear mode reads it.
  package var words: String { String(name.split(separator: ".").last ?? "").replacing("-", with: " ") }

  /// Creates a row.
  ///
  /// - Parameter keys: The keys in the notation of the settings file, separated by spaces.
  fileprivate init(
    _ command: Command, _ context: KeyContext, _ topic: Topic, _ name: String, was formerName: String? = nil,
    _ sentence: String, _ keys: String = ""
  ) {
    (self.command, self.context, self.topic, self.name) = (command, context, topic, name)
    (self.formerNames, self.sentence) = ([formerName].compactMap { $0 }, sentence)
    self.keys = keys.split(separator: " ").compactMap { KeyEvent(name: String($0)) }
  }

  /// Returns the row of a command.
  package static func of(_ command: Command) -> KeyRow? { all.first { $0.command == command } }

  /// All rows, in the order of the last row of the screen, of help and of the documentation.
  ///
  /// Rows of one context that share a key are in the order in which a screen is asked for them. The screen shows the first
  /// key of a row that leads to it.
  package static let all: [KeyRow] =
    [
      KeyRow(.nextMatch, .text, .navigate, "text.next-match", "go to next match", "n Tab"),
      KeyRow(
        .previousMatch, .text, .navigate, "text.previous-match", was: "previous-match", "go to previous match",
        "N Shift-Tab"),
      KeyRow(.readOn, .page, .read, "more", was: "read-on", "read more", "Space"),
      KeyRow(.selectChoice, .quiz, .answer, "quiz.select", "select the choice", "Space"),
      KeyRow(.check, .quiz, .answer, "quiz.check", "check the answer", "Space Enter Right l"),
      KeyRow(.turnBack, .card, .answer, "card.turn-back", "turn the card back", "Enter Right l"),
      KeyRow(.known, .card, .answer, "review.known", "you knew the card", "Space Enter Right l"),
      KeyRow(.forgot, .card, .answer, "review.forgot", "you forgot the card", "Space Enter Right l f"),
      KeyRow(.turn, .card, .answer, "card.turn", "turn the card", "Space Enter Right l"),
      KeyRow(.openNext, .everywhere, .read, "open-next", "open the next place", "Space"),
      KeyRow(.followLink, .text, .choose, "text.follow-link", "follow the link", "Enter Right l"),
      KeyRow(.visited, .text, .read, "text.visited", "you visited the link", "Enter Right l"),
      KeyRow(.runCheck, .text, .answer, "exercise.check", "check the exercise", "Enter"),
      KeyRow(.edit, .text, .answer, "exercise.edit", "open the editor", "o"),
      KeyRow(.hint, .page, .answer, "exercise.hint", "show a hint", "t"),
      KeyRow(.scrollRight, .text, .read, "text.scroll-right", "scroll block right", "Right Enter l"),
      KeyRow(.scrollLeft, .text, .read, "text.scroll-left", "scroll block left", "Left h"),
      KeyRow(.openFromPane, .pane, .choose, "pane.open", "open the place", "Enter Space Right l"),
      KeyRow(.open, .everywhere, .choose, "open", "open the selection", "Enter Right l"),
      KeyRow(.begin, .everywhere, .answer, "begin", "begin or continue", "Space Enter Right l"),
      KeyRow(.proceed, .everywhere, .answer, "go-to-next-step", "go to the next step", "Space Enter Right l"),
      KeyRow(.resumeCards, .review, .answer, "review.resume", "resume the cards", "s"),
      KeyRow(.restart, .everywhere, .read, "retry", was: "again", "start again", "r"),
      KeyRow(
        .choosePrevious, .page, .choose, "select-previous", was: "choose-previous", "select or scroll up",
        "Up k Ctrl-P Ctrl-Y Ctrl-K"),
      KeyRow(
        .chooseNext, .page, .choose, "select-next", was: "choose-next", "select or scroll down",
        "Down j Ctrl-N Ctrl-E Ctrl-J"),
      KeyRow(.chooseFirst, .page, .choose, "select-first", was: "choose-first", "go to the beginning", "Home g <"),
      KeyRow(.chooseLast, .page, .choose, "select-last", was: "choose-last", "go to the end", "End G >"),
      KeyRow(.nextLink, .text, .navigate, "text.next-link", "select the next link", "Tab"),
      KeyRow(.previousLink, .text, .navigate, "text.previous-link", "select previous link", "Shift-Tab"),
      KeyRow(.nextKind, .find, .navigate, "find.kind", "find another kind", "Tab"),
      KeyRow(.toggleCourse, .find, .navigate, "find.course", "find in this course", "Shift-Tab"),
      KeyRow(.allow, .sheet, .answer, "sheet.allow", "allow the commands", "Enter"),
      KeyRow(.openOutside, .sheet, .view, "sheet.open-outside", "open in a viewer", "o"),
      KeyRow(.manual, .sheet, .view, "sheet.manual", "read the manual", "m"),
      KeyRow(.copy, .everywhere, .read, "copy", "copy code, link, path", "y"),
      KeyRow(.undo, .everywhere, .view, "undo", "undo a change", "U"),
      KeyRow(.up, .everywhere, .choose, "up", "go up, or close", "Left h Backspace"),
      KeyRow(.leave, .everywhere, .choose, "leave", "cancel, or go up", "Esc"),
      KeyRow(.close, .sheet, .view, "sheet.close", "close", "q"),
      KeyRow(.leavePane, .pane, .navigate, "pane.leave", "return to the page", "Shift-Tab"),
      KeyRow(.next, .everywhere, .navigate, "next", "go to the next place", "n"),
      KeyRow(.previous, .everywhere, .navigate, "previous", "go to previous place", "p"),
      KeyRow(.note, .text, .read, "note", "write a note", "e"),
      KeyRow(.highlight, .text, .read, "highlight", "highlight text", "M"),
      KeyRow(.toggleDone, .everywhere, .read, "done", "mark as done", "x"),
      KeyRow(.nextPage, .text, .read, "text.page-down", "show the next page", "f"),
      KeyRow(.pageDown, .page, .read, "page-down", "scroll a page down", "PageDown Ctrl-F Ctrl-V"),
      KeyRow(.pageBack, .page, .read, "page-up", was: "page-back", "scroll a page up", "b PageUp Ctrl-B"),
      KeyRow(.halfPageDown, .page, .read, "scroll-down", "half a page down", "d Ctrl-D"),
      KeyRow(.halfPageUp, .page, .read, "scroll-up", "half a page up", "u Ctrl-U"),
      KeyRow(.searchCourse, .text, .navigate, "text.search-course", "search the course", "/"),
      KeyRow(.findInText, .text, .navigate, "text.find", "find in this text", "/"),
      KeyRow(.searchHistory, .history, .navigate, "history.search", "search the history", "/"),
      KeyRow(.reviewPlaces, .review, .view, "review.filter", "review one place", "/"),
      KeyRow(.find, .everywhere, .navigate, "find", "find text", "/"),
      KeyRow(.filter, .history, .view, "filter", "filter the history", "f"),
      KeyRow(.previousWeek, .history, .navigate, "history.previous-week", "previous week", "Left"),
      KeyRow(.nextWeek, .history, .navigate, "history.next-week", "next week", "Right"),
      KeyRow(.replay, .history, .view, "replay", "replay the session", "r"),
      KeyRow(.exportHistory, .history, .view, "history.export", "export the history", "e"),
      KeyRow(.continueCourse, .everywhere, .navigate, "continue", was: "go-on", "continue the course", "."),
      KeyRow(.back, .everywhere, .navigate, "back", "go back", "H Alt-Left Ctrl-O"),
      KeyRow(.forward, .everywhere, .navigate, "forward", "go forward", "L Alt-Right"),
      KeyRow(.addCards, .review, .answer, "learn", "add cards to a review", "n"),
      KeyRow(.reviewAhead, .review, .answer, "review-ahead", "review later cards", "a"),
      KeyRow(.suspendCard, .review, .answer, "suspend", "suspend a card", "s"),
      KeyRow(.bury, .review, .answer, "review.bury", "bury until tomorrow", "b"),
      KeyRow(.showSource, .review, .answer, "review.source", was: "review.open-source", "open the source", "e"),
      KeyRow(.editCard, .review, .answer, "review.edit", "make or change a card", "c"),
      KeyRow(.forgetCard, .review, .answer, "review.forget", "make the card new", "F"),
      KeyRow(.setDue, .review, .answer, "review.set-due", "set the due date", "D"),
      KeyRow(.ownCards, .everywhere, .view, "own-cards", "list your own cards"),
      KeyRow(.leeches, .everywhere, .view, "leeches", "often forgotten cards"),
      KeyRow(.previousBlock, .text, .read, "previous-block", was: "block-before", "select block above", "{"),
      KeyRow(.nextBlock, .text, .read, "next-block", was: "block", "select block below", "}"),
      KeyRow(.wrap, .text, .read, "wrap", "wrap long lines", "w"),
      KeyRow(.notes, .everywhere, .read, "notes", "list notes", "\""),
      KeyRow(.makeCard, .text, .read, "card", "make a card", "c"),
      KeyRow(.showPalette, .everywhere, .navigate, "go-to", "run a command", ":"),
      KeyRow(.headings, .everywhere, .navigate, "headings", "list the headings", "#"),
      KeyRow(.showBookmarks, .everywhere, .navigate, "bookmarks", was: "marks", "list bookmarks", "'"),
      KeyRow(.switchPane, .everywhere, .navigate, "preview", was: "other-pane", "focus the preview", "Ctrl-W Tab"),
      KeyRow(.tab(0), .everywhere, .navigate, "tab-learn", "open Learn", "1"),
      KeyRow(.tab(1), .everywhere, .navigate, "tab-find", "open Find", "2"),
      KeyRow(.tab(2), .everywhere, .navigate, "tab-history", "open History", "3"),
      KeyRow(.tab(3), .everywhere, .navigate, "tab-review", "open Review", "4"),
      KeyRow(.nextTab, .everywhere, .navigate, "next-tab", "go to the next tab", "Tab"),
      KeyRow(.previousTab, .everywhere, .navigate, "previous-tab", "go to previous tab", "Shift-Tab"),
      KeyRow(.wrongAnswers, .everywhere, .view, "wrong-answers", "list wrong answers"),
      KeyRow(.layout, .everywhere, .view, "layout", "switch cards and list", "v"),
      KeyRow(.wider, .everywhere, .view, "wider", "make lines longer", "+"),
      KeyRow(.narrower, .everywhere, .view, "narrower", "make lines shorter", "-"),
      KeyRow(.add, .everywhere, .view, "add", "add a course", "a"),
      KeyRow(.settings, .everywhere, .view, "settings", "change settings", ","),
      KeyRow(.rename, .everywhere, .view, "rename", "rename a place"),
      KeyRow(.remove, .everywhere, .view, "remove", "delete a course"),
      KeyRow(.importAgain, .everywhere, .view, "import-again", "update a course"),
      KeyRow(.export, .everywhere, .view, "export", "export a course"),
      KeyRow(.info, .everywhere, .view, "info", "show information", "i"),
      KeyRow(.toggleBookmark, .everywhere, .navigate, "bookmark", was: "mark", "bookmark this place", "m"),
      KeyRow(.help, .everywhere, .view, "help", "list all keys", "? F1"),
      KeyRow(.tour, .everywhere, .view, "tour", was: "show-me-around", "watch a short tour"),
      KeyRow(.quit, .everywhere, .view, "quit", "quit Waymark", "q Ctrl-C"),
      KeyRow(.pause, .replay, .view, "replay.pause", "pause or play", "Space"),
      KeyRow(.previousStep, .replay, .view, "replay.previous", "show previous step", "Left h"),
      KeyRow(.nextStep, .replay, .view, "replay.next", "show the next step", "Right l"),
      KeyRow(.firstStep, .replay, .view, "replay.first", "show the first step", "Home g"),
      KeyRow(.lastStep, .replay, .view, "replay.last", "show the last step", "End G"),
      KeyRow(.continueHere, .replay, .view, "replay.continue", "continue here", "Enter"),
      KeyRow(.endReplay, .replay, .view, "replay.end", "end the replay", "Esc Backspace q"),
      KeyRow(.endTour, .tour, .view, "tour.end", "end the tour", "Esc"),
    ]
    + (1...9).map { KeyRow(.choice($0), .quiz, .answer, "quiz.choice-\($0)", "select choice \($0)", String($0)) }
    + (0...9).map { KeyRow(.seek($0), .replay, .view, "replay.seek-\($0)", "show part \($0) of 9", String($0)) }
}

import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Records activity events, reading positions, answers and notes of the learner.
@MainActor final class ActivityRecorder: BrowserComponent, ActivityLog {
  private let reader: PageReader
  private let writes: PendingWrites
  /// The unfinished quizzes that the learner has left since the program started.
  private var unfinishedQuizzes: [NodeID: QuizRun] = [:]

  init(_ openPages: OpenPages, reader: PageReader, writes: PendingWrites) {
    (self.reader, self.writes) = (reader, writes)
    super.init(openPages)
    context.onInteractivityChange = { [weak self] in (self?.page as? ActivityScreen)?.beginReading() }
  }

  @discardableResult func record(_ event: ActivityEventContent, in place: Place, on page: any CoursePage) -> String? {
    guard context.isInteractive else { return nil }
    // A notice about an earlier activity event is no longer relevant.
    screen.endNotice()
    // If the database is busy, the write and the notice are deferred.
    var message: String?
    writes.write("record the change of \(self.name(of: place))") { [self] timeout in
      let wasDone = try navigation.places.summary(of: .place(place)).state == .done
      let card = try navigation.progress.record(event, in: .place(place), waitingAtMost: timeout)
      if !wasDone, card.state == .done { message = try self.completionMessage(for: place) }
      if let message { notify(message) }
      // Pages below this one in the stack are read again only when they become visible.
      page.show(try reader.model(of: page))
      if page !== self.page { reader.reloadCurrentPage() } else { context.showFooter() }
    }
    return message
  }

  func mark(_ place: Place, asDone isDone: Bool, on page: any CoursePage) {
    trying {
      guard try (navigation.places.summary(of: .place(place)).state == .done) != isDone else { return }
      let completion = record(isDone ? .markedDone : .markedNotDone, in: place, on: page)
      guard try (navigation.places.summary(of: .place(place)).state == .done) == isDone else { return }
      let state = isDone ? "Done" : "Not done"
      let text = page.place == place ? state : "\(state): \(name(of: place))"
      notify(text + "." + (completion.map { " " + $0 } ?? ""), undoing: "undoes it")
    }
  }

  /// The title of a place in quotation marks. If the place is not on the visible page, also the title of the place that
  /// contains it.
  func name(of place: Place) -> String {
    let quotes = appearance.symbols.quotes
    guard let page = try? navigation.places.page(of: .place(place), with: .some(0, around: .index(0))) else {
      return ""
    }
    let title = quotes.around(page.summary.place.title)
    guard let parent = page.ancestors.last, place != self.page?.place, parent.place != self.page?.place else {
      return title
    }
    return "\(title) in \(quotes.around(parent.title))"
  }

  /// Returns the message about the outermost course, goal or lesson that this activity completed, or `nil` if it
  /// completed none.
  private func completionMessage(for place: Place) throws -> String? {
    for ancestor in try navigation.places.page(of: .place(place), with: .some(0, around: .index(0))).ancestors
      .dropFirst()
    {
      let card = try navigation.places.summary(of: .place(ancestor.place))
      if let message = DisplayFormat.doneText(card, symbols: appearance.symbols) { return message }
    }
    return nil
  }

  func savePosition(of page: any ActivityPage) {
    guard context.isInteractive else { return }
    if let quiz = page as? QuizScreen { saveAnswers(of: quiz) }
    guard let position = page.position(at: now) else { return }
    let passages = page.takeUnsavedPassages()
    writes.write(nil) { [navigation] in
      try navigation.progress.save(position, read: passages, in: page.place, waitingAtMost: $0)
    }
  }

  private func saveAnswers(of quiz: QuizScreen) {
    let unfinished = quiz.session.unfinished
    guard unfinished != quiz.savedRun else { return }
    writes.write("save the answers of \(self.name(of: quiz.place))") { [navigation] in
      try navigation.progress.save(
        unfinished.map(UnfinishedQuiz.init), of: quiz.questions, in: quiz.place, waitingAtMost: $0)
      quiz.savedRun = unfinished
    }
  }

  func saveRun(_ run: QuizRun?, in place: Place) {
    guard context.isInteractive, let node = place.node else { return }
    unfinishedQuizzes[node] = run
  }

  /// Stores the reading position of the activity on screen.
  func savePosition() {
    guard let page = page as? ActivityScreen else { return }
    page.updateCompletion()
    page.positionWasSaved()
    savePosition(of: page)
  }

  var isReading: Bool { context.isInteractive && context.hasFocus && overlay == nil && tabs.selectedIndex == 0 }

  /// Returns the stored history of an activity.
  func past(of page: ActivityScreen) throws -> ActivityHistory {
    let place = page.place
    return ActivityHistory(
      position: try navigation.progress.readingPosition(in: place),
      passages: page is ReadingScreen ? try navigation.progress.passagesRead(in: place) : [:],
      notes: page is ReadingScreen ? try notes(in: place) : [],
      attempts: try navigation.progress.quizAttempts(at: place),
      run: try (page as? QuizScreen).flatMap { try run(of: $0) },
      grades: try navigation.progress.gradedCards(at: place),
      days: dayNames)
  }

  /// Returns an unfinished run of a quiz: from this session if there is one, otherwise from the database. `nil` if
  /// there is none.
  private func run(of quiz: QuizScreen) throws -> QuizRun? {
    quiz.savedRun = try navigation.progress.unfinishedQuiz(of: quiz.questions, in: quiz.place).map {
      QuizRun(questions: quiz.questions, $0)
    }
    return quiz.place.node.flatMap { unfinishedQuizzes[$0] } ?? quiz.savedRun
  }
}

/// Notes in texts.
extension ActivityRecorder {
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?, onFailure: @escaping () -> Void) {
    guard context.isInteractive, let place = page?.place else { return }
    writes.write("save the \(text.isEmpty ? "highlight" : "note")", onFailure: onFailure) { [self] timeout in
      try navigation.notes.write(text, at: anchor, replacing: id, in: .place(place), waitingAtMost: timeout)
      updateNotesOfPage()
      // The text shows a notice about a highlight.
      guard !text.isEmpty else { return }
      let isListed = id == nil && context.lossReason == nil
      let listHint = isListed ? label(of: .notes).map { " \($0) lists your notes." } ?? "" : ""
      notify(context.stored("Note saved") + listHint, undoing: "undoes it")
    }
  }

  func remove(_ note: Note, in place: Place?) {
    guard context.isInteractive, let place = place ?? page?.place else { return }
    let kind = note.isCard ? "card" : note.isHighlight ? "highlight" : "note"
    writes.write("remove the \(kind)") { [self] timeout in
      if note.isCard {
        try navigation.cards.remove(CardID(place: place, key: note.id), waitingAtMost: timeout)
        openPages.review?.cardsDidChange()
      } else if try !navigation.notes.remove(note.id, waitingAtMost: timeout) {
        return updateNotesOfPage()
      }
      updateNotesOfPage()
      let text = (note.isHighlight ? note.anchor.quote : note.text).onSingleRow.truncated(to: 40)
      let message = "Removed the \(kind) \(appearance.symbols.quotes.around(text))."
      // The list of notes shows its own undo key.
      if overlay == nil { notify(message, undoing: "undoes it") } else { notify(message) }
    }
  }

  /// Updates the notes on the page.
  func updateNotesOfPage() {
    guard let page = page as? ReadingScreen else { return }
    trying { page.show(try notes(in: page.place)) }
  }

  /// Returns the notes and the own cards of an activity.
  private func notes(in place: Place) throws -> [Note] {
    try navigation.notes.all(in: place) + navigation.cards.own(in: place).map(\.note)
  }
}

extension ActivityRecorder: CommandResponder {
  func offer(_ command: Command) -> Offer? {
    guard command == .toggleBookmark, let place = openPages.selectedPlace else { return nil }
    return Offer("bookmark", rank: openPages.rankOfPlaceCommands) { [self] in toggleBookmark(of: place) }
  }

  /// Adds or removes the bookmark of a place.
  private func toggleBookmark(of place: Place) {
    writes.write("change the bookmark of \(self.name(of: place))") { [self] timeout in
      let card = try navigation.places.summary(of: .place(place))
      try navigation.notes.setBookmark(!card.isBookmarked, at: .place(place), waitingAtMost: timeout)
      reader.reloadCurrentPage()
      context.noteChange { [weak self] in self?.restoreBookmark(card.isBookmarked, of: place) }
      let (quotes, key) = (appearance.symbols.quotes, label(of: .showBookmarks))
      let title = quotes.around(card.place.title)
      notify(
        card.isBookmarked
          ? "Removed the bookmark for \(title)."
          : context.stored("Bookmarked \(title)") + (key.map { " \($0) lists all bookmarks." } ?? ""))
    }
  }

  private func restoreBookmark(_ isSet: Bool, of place: Place) {
    trying {
      let isChanged = try navigation.notes.setBookmark(isSet, at: .place(place))
      reader.reloadCurrentPage()
      notify(isChanged ? "Bookmark \(isSet ? "restored" : "removed"): \(name(of: place))." : UndoText.isChanged)
    }
  }
}

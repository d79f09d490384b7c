import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Writes down what the learner does in activities, and where they are in them.
@MainActor final class ActivityRecorder: BrowserPart {
  /// Quizzes that were left in the middle, in this sitting.
  private var quizzesLeft: [NodeID: QuizRun] = [:]

  @discardableResult func record(_ act: LearningAct, in place: Place, on page: any CoursePage) -> String? {
    guard browser.isAttended else { return nil }
    // What was said of the act before is no longer so.
    screen.endNotice()
    // Where the database is busy, what is done with it is said when it is written.
    var words: String?
    waiting.write { [self] milliseconds in
      let wasDone = try navigation.card(of: .place(place)).state == .done
      let card = try navigation.record(act, in: .place(place), waitingAtMost: milliseconds)
      if !wasDone, card.state == .done { words = try self.words(onDone: place) }
      if let words { notify(words) }
      // The pages above count it too, when they are seen again.
      page.show(try steps.model(of: page))
      if page !== self.page { steps.readAgain() } else { footer.show() }
    }
    return words
  }

  /// What is done with an activity that was the last of it: the lesson, its goal, or the whole course; `nil` where none
  /// is.
  private func words(onDone place: Place) throws -> String? {
    for above in try navigation.page(of: .place(place), with: .some(0, around: .index(0))).trail.dropFirst() {
      let card = try navigation.card(of: .place(above.place))
      if let words = Words.done(card, symbols: appearance.symbols) { return words }
    }
    return nil
  }

  func keepPosition(of page: any ActivityPage) {
    guard browser.isAttended else { return }
    if let quiz = page as? QuizScreen { keepAnswers(of: quiz) }
    guard let position = page.position(at: now) else { return }
    let passages = page.takeUnkeptPassages()
    waiting.write { [navigation] in
      try navigation.save(position, read: passages, in: page.place, waitingAtMost: $0)
    }
  }

  private func keepAnswers(of quiz: QuizScreen) {
    let unfinished = quiz.unfinished
    guard unfinished != quiz.kept else { return }
    waiting.write { [navigation] in
      try navigation.save(unfinished.map(UnfinishedQuiz.init), of: quiz.questions, in: quiz.place, waitingAtMost: $0)
      quiz.kept = unfinished
    }
  }

  func keep(_ run: QuizRun?, in place: Place) {
    guard browser.isAttended, let node = place.node else { return }
    quizzesLeft[node] = run
  }

  /// Keeps how far the learner has come in the activity on screen.
  func keepPosition() {
    guard let page = page as? ActivityScreen else { return }
    page.settle()
    page.isKept()
    keepPosition(of: page)
  }

  var isAttending: Bool { browser.isAttended && browser.hasFocus && overlay == nil && tabs.selectedIndex == 0 }

  /// Tells the page whether the learner looks at it.
  func attentionHasChanged() { (page as? ActivityScreen)?.attend() }

  /// What the learner did in an activity before.
  func past(of page: ActivityScreen) throws -> ActivityPast {
    let place = page.place
    return ActivityPast(
      position: try navigation.readingPosition(in: place),
      passages: page is ReadingScreen ? try navigation.passagesRead(in: place) : [:],
      notes: page is ReadingScreen ? try navigation.notes(in: place) : [],
      attempts: try navigation.quizAttempts(at: place),
      run: try (page as? QuizScreen).flatMap { try run(of: $0) }, grades: try navigation.gradedCards(at: place),
      days: dayNames)
  }

  /// A quiz as it was left in the middle: in this sitting, else in one before.
  private func run(of quiz: QuizScreen) throws -> QuizRun? {
    quiz.kept = try navigation.unfinishedQuiz(of: quiz.questions, in: quiz.place).map {
      QuizRun(questions: quiz.questions, $0)
    }
    return quiz.place.node.flatMap { quizzesLeft[$0] } ?? quiz.kept
  }
}

/// What the learner writes beside texts.
extension ActivityRecorder {
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?) {
    guard browser.isAttended, let place = page?.place else { return }
    waiting.write { [self] milliseconds in
      try navigation.write(note: text, at: anchor, replacing: id, in: .place(place), waitingAtMost: milliseconds)
      showNotesOfPage()
    }
  }

  func remove(_ note: Note) {
    guard browser.isAttended else { return }
    waiting.write { [self] milliseconds in
      let placed = try navigation.notes().first { $0.note.id == note.id }
      try navigation.removeNote(note.id, waitingAtMost: milliseconds)
      showNotesOfPage()
      guard let placed else { return }
      commands.did(placed.place.isRemoved ? nil : .notes([placed]))
      let words = note.isHighlight ? "Not highlighted any more." : "The note is taken away."
      // Where letters are typed, the list says its own key.
      if placed.place.isRemoved || overlay != nil {
        notify(words)
      } else {
        commands.offer(words, undoing: "brings it back")
      }
    }
  }

  /// Writes a note again that was taken away.
  func bringBack(_ placed: PlacedNote) {
    let note = placed.note
    waiting.write { [self] milliseconds in
      try navigation.write(
        note: note.text, at: note.anchor, replacing: note.id, in: .place(placed.place.place),
        waitingAtMost: milliseconds)
      showNotesOfPage()
      notify(note.isHighlight ? "Highlighted again." : "The note is there again.")
    }
  }

  /// Shows on the page what its notes are now.
  func showNotesOfPage() {
    guard let page = page as? ReadingScreen else { return }
    trying { page.show(try navigation.notes(in: page.place)) }
  }
}

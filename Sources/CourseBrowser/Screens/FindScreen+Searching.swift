import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// How what is typed is looked for, and what was found is taken.
extension FindScreen {
  /// Seconds that somebody looks at what was found for less, before it is said that something is being looked for.
  private static let patience = 0.15
  /// Milliseconds of a piece of what the index does not have yet, after which it is looked what is found with it.
  private nonisolated static let indexingTime = 1_000

  var question: Finder.Question {
    Finder.Question(query: field.text, kind: kind, course: course, isKeptToCourse: isKeptToCourse)
  }

  func look(keepingChoice keepsChoice: Bool = false) {
    forgetSearch()
    indexing?.interrupt()
    search.isBehind = true
    search.keepsChoice = keepsChoice
    search.lateness = context.stage.schedule(after: Self.patience) { [weak self] in
      self?.search.isLate = true
      self?.showHeader()
    }
    searchNext()
    // What was found for less stays until there is something else: only what was typed is drawn.
    if search.isBehind { showHeader() }
  }

  /// What is being searched for is not awaited any more.
  func forgetSearch() {
    search.running?.interrupt()
    search.lateness?.cancel()
    search = Search(running: search.running)
  }

  private func searchNext() {
    guard search.isBehind, search.running == nil else { return }
    let interruption = SearchInterruption()
    search.running = interruption
    let (question, library, navigation) = (question, context.library, context.navigation)
    let known = notes
    context.inBackground { [weak self] in
      let notes = known ?? (question.isEmpty ? nil : try? NoteList(of: navigation))
      let answer = Result {
        try Finder.answer(
          to: question, in: library, for: navigation, notes: notes ?? NoteList(), until: interruption)
      }
      return {
        self?.notes = notes
        self?.took(answer, to: question, of: interruption)
      }
    }
  }

  private func took(
    _ answer: Result<Finder.Answer, any Error>, to question: Finder.Question, of interruption: SearchInterruption
  ) {
    search.running = nil
    guard search.isBehind, question == self.question, !interruption.isInterrupted else { return searchNext() }
    let (keys, keepsChoice) = (search.keys, search.keepsChoice)
    forgetSearch()
    context.besideInput {
      switch answer {
      case .success(let answer): take(answer, keepingChoice: keepsChoice)
      case .failure(let error):
        // What could not be looked for is not answered with what was found for something else.
        take(.nothing, keepingChoice: false)
        context.trying { throw error }
      }
      show()
      for key in keys { _ = handle(.key(key)) }
    }
    indexOn()
  }

  // MARK: - What the index does not have yet

  /// Continues to bring into the index what it does not have yet, while no search waits: an import that was
  /// interrupted, or an older program, may have left texts. What is found so far is shown at once, and what is found then
  /// after each piece.
  private func indexOn() {
    guard !answer.isWhole else { return readAhead() }
    guard indexing == nil, !search.isBehind else { return }
    let interruption = SearchInterruption()
    indexing = interruption
    let library = context.library
    context.inBackground { [weak self] in
      let end = Result { try library.index(for: Self.indexingTime, until: interruption) }
      return { self?.indexed(end) }
    }
  }

  /// Once, as Find opens: who was not here for a day would wait for the disk with each of the first letters.
  private func readAhead() {
    guard !isReadAhead, readingAhead == nil else { return }
    let interruption = SearchInterruption()
    readingAhead = interruption
    let library = context.library
    context.inBackground { [weak self] in
      // Whoever searches finds the same without it.
      try? library.readSearchAhead(until: interruption)
      return {
        self?.readingAhead = nil
        self?.isReadAhead = !interruption.isInterrupted
      }
    }
  }

  private func indexed(_ end: Result<Bool, any Error>) {
    let isStopped = indexing?.isInterrupted == true
    indexing = nil
    // Somebody looks for something else already: what is found for that continues from here.
    guard isShown, !search.isBehind else { return }
    if isStopped { return indexOn() }
    // Where it cannot be done now, the next letter tries again.
    guard case .success = end else { return }
    look(keepingChoice: true)
  }

  func take(_ answer: Finder.Answer, keepingChoice: Bool) {
    let before = entries.indices.contains(chosen) ? entries[chosen].place.place : nil
    self.answer = answer
    putIntoWords()
    guard keepingChoice, let index = entries.firstIndex(where: { $0.place.place == before }) else {
      // Enter opens what is best; the learner's notes stand above that.
      (chosen, scroll) = (entries.firstIndex { $0.note == nil } ?? 0, 0)
      return scrollToChosen()
    }
    chosen = index
    scrollToChosen()
  }

  private var finder: Finder {
    Finder(library: context.library, days: context.dayNames, appearance: context.appearance)
  }

  func putIntoWords() {
    found = finder.findings(of: answer)
    readPassage()
  }

  /// Reads what is said below the chosen place, where that was not read with the search.
  func readPassage() {
    guard case .found(_, _, let searchedFor, _, _) = answer, entries.indices.contains(chosen),
      entries[chosen].passage == nil
    else { return }
    context.trying {
      found.entries[chosen].passage = try finder.passage(of: entries[chosen].place.place, searchedFor: searchedFor)
    }
  }

  /// Takes a key where it is for what was found, and that is not there yet: it will mean what is found then.
  func keepForLater(_ key: KeyEvent) -> Bool {
    guard search.isBehind else { return false }
    search.keys.append(key)
    return true
  }
}

import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Running searches.
extension FindScreen {
  /// The number of seconds for which the earlier results are shown unchanged before the header indicates that a search
  /// is running.
  private static let indicatorDelay = 0.15
  /// The time for which the index is updated before the search is repeated.
  private nonisolated static let indexingTime = Duration.seconds(1)

  var question: Finder.Query {
    Finder.Query(query: field.text, kind: kind, course: course, isRestrictedToCourse: isRestrictedToCourse)
  }

  func startSearch(keepingChoice keepsChoice: Bool = false) {
    cancelSearch()
    indexing?.interrupt()
    search.isOutdated = true
    search.keepsChoice = keepsChoice
    search.lateness = context.stage.schedule(after: Self.indicatorDelay) { [weak self] in
      self?.search.isLate = true
      self?.showHeader()
    }
    searchNext()
    // The earlier results stay visible until new results arrive. Only the query is drawn again.
    if search.isOutdated { showHeader() }
  }

  /// Cancels the running search and discards its results.
  func cancelSearch() {
    search.running?.interrupt()
    search.lateness?.cancel()
    search = Search(running: search.running)
  }

  private func searchNext() {
    guard search.isOutdated, search.running == nil else { return }
    let interruption = SearchInterruption()
    search.running = interruption
    let (question, library, navigation) = (question, context.library, context.navigation)
    let (cachedNotes, passages) = (notes, bodyRows / rowsEach + 1)
    context.runInBackground { [weak self] in
      let notes = cachedNotes ?? (question.isEmpty ? nil : try? NoteList(of: navigation))
      let result = Result {
        try Finder.search(
          to: question, in: library, for: navigation, notes: notes ?? NoteList(), passages: passages,
          until: interruption)
      }
      return {
        self?.notes = notes
        self?.searchDidEnd(result, to: question, of: interruption)
      }
    }
  }

  private func searchDidEnd(
    _ result: Result<Finder.Outcome, any Error>, to question: Finder.Query, of interruption: SearchInterruption
  ) {
    search.running = nil
    guard search.isOutdated, question == self.question, !interruption.isInterrupted else { return searchNext() }
    let (keys, keepsChoice) = (search.deferredKeys, search.keepsChoice)
    cancelSearch()
    context.performWithoutInput {
      switch result {
      case .success(let outcome): show(outcome, keepingChoice: keepsChoice)
      case .failure(let error):
        // After an error, the earlier results are removed, because they belong to another query.
        show(.nothing, keepingChoice: false)
        context.trying { throw error }
      }
      updateContents()
    }
    // After a key that opens a result, the keys are for its page.
    for key in keys { context.onDeferredKey?(key) }
    continueIndexing()
  }

  // MARK: - Indexing

  /// Continues indexing while no search is running.
  ///
  /// An interrupted import or an older version of the program may have left texts that are not indexed. Results are
  /// shown at once, and updated after each interval of indexing.
  private func continueIndexing() {
    guard !currentOutcome.isComplete else { return readAhead() }
    guard indexing == nil, !search.isOutdated else { return }
    let interruption = SearchInterruption()
    indexing = interruption
    let library = context.library
    context.runInBackground { [weak self] in
      let result = Result { try library.index(for: Self.indexingTime, until: interruption) }
      return { self?.indexed(result) }
    }
  }

  /// Reads the index from disk once, when Find opens. Without this, a search for the first letters that are typed after
  /// a long pause would wait for the disk.
  private func readAhead() {
    guard !isReadAhead, readingAhead == nil else { return }
    let interruption = SearchInterruption()
    readingAhead = interruption
    let library = context.library
    context.runInBackground { [weak self] in
      // An error is ignored, because searches do not depend on reading ahead.
      try? library.readSearchAhead(until: interruption)
      return {
        self?.readingAhead = nil
        self?.isReadAhead = !interruption.isInterrupted
      }
    }
  }

  private func indexed(_ result: Result<Bool, any Error>) {
    let isStopped = indexing?.isInterrupted == true
    indexing = nil
    // If a search is waiting, its completion continues the indexing.
    guard isShown, !search.isOutdated else { return }
    if isStopped { return continueIndexing() }
    // After an error, indexing continues only with the next search.
    guard case .success = result else { return }
    startSearch(keepingChoice: true)
  }

  func show(_ outcome: Finder.Outcome, keepingChoice: Bool) {
    let previousPlace = entries.indices.contains(chosen) ? entries[chosen].place.place : nil
    self.currentOutcome = outcome
    formatAnswer()
    guard keepingChoice, let index = entries.firstIndex(where: { $0.place.place == previousPlace }) else {
      // The best match is selected, so that Enter opens it. The learner's notes are listed before it.
      list = SelectionList(chosen: entries.firstIndex { $0.note == nil } ?? 0)
      return layOutList()
    }
    list.chosen = index
    layOutList()
  }

  private var finder: Finder {
    Finder(library: context.library, days: context.dayNames, appearance: context.appearance)
  }

  func formatAnswer() {
    findings = finder.results(of: currentOutcome)
  }

  /// Reads the passages of the visible places that the search has not read.
  func readPassages() {
    guard case .hits(_, _, let searchedFor, _, _, _) = currentOutcome else { return }
    for index in visibleEntries where entries[index].passage == nil {
      context.trying {
        findings.entries[index].passage = try finder.passage(of: entries[index], searchedFor: searchedFor)
      }
    }
  }

  /// Stores a key, to be handled when the results of the running search arrive. Returns `false` if no search is
  /// running.
  func deferKey(_ key: KeyEvent, opensResult: Bool) -> Bool {
    guard search.isOutdated else { return false }
    search.deferredKeys.append(key)
    search.opensResult = search.opensResult || opensResult
    return true
  }
}

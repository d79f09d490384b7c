import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension CommandHandler {
  /// Looks for words in everything.
  func find(_ words: String) {
    steps.selectTab(1)
    // What was looked for before goes.
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.end)))
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.character("u"), modifiers: .control)))
    _ = tabs.selectedScreen.handle(.paste(words))
  }

  /// Looks for words that were looked for in one text in its course, and from there in everything.
  func widenSearch(_ words: String) {
    steps.selectTab(1)
    (tabs.selectedScreen as? FindScreen)?.widen(words)
  }

  /// Opens a place that was found: the page is there when the tab is, and a text shows what it was found for.
  func openFound(
    _ place: Place, for query: String? = nil, cause: NavigationCause = .search, then: @escaping () -> Void = {}
  ) {
    recorder.keepPosition()
    let isHere = page?.place == place
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(
        .open(.place(place)), cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try steps.show(step, animated: false) }
      if isHere, query != nil { (page as? ReadingScreen)?.rememberReader() }
      if let query, let text = page as? any FoundText, text.place == place { text.show(found: query) }
      steps.tabTransitions.opening = place.node
      defer { steps.tabTransitions.opening = nil }
      steps.selectTab(0)
      then()
    }
  }

  /// Goes to a quiz, and shows how it went the last time.
  ///
  /// - Parameter question: The question that is looked at; `nil` for the list of all.
  func openLastAttempt(at quiz: Place, question: Int? = nil) {
    let show = { [self] in
      guard let page = page as? QuizScreen, page.place == quiz else { return }
      trying { page.take(attempts: try navigation.quizAttempts(at: quiz)) }
      if !page.show(attempt: 0, question: question) { notify("Its questions have changed since.") }
    }
    if tabs.selectedIndex != 0 {
      openFound(quiz, cause: .key, then: show)
    } else if page?.place == quiz {
      show()
    } else {
      navigate(.open(.place(quiz)), cause: .key, then: show)
    }
  }

  /// Goes to a place from wherever the learner is, also from another tab.
  func go(to place: Place, cause: NavigationCause = .key) {
    if tabs.selectedIndex == 0 {
      commands.navigate(.open(.place(place)), cause: cause)
    } else {
      commands.openFound(place, cause: cause)
    }
  }
}

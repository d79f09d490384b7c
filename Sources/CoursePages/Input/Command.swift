/// An action that a key can trigger. Each has one meaning on all screens, and one row in ``KeyRow/all``, which describes it.
package enum Command: Hashable, Sendable {
  // Movement and selection.
  case chooseNext, choosePrevious, chooseFirst, chooseLast
  case pageDown, pageBack, nextPage, halfPageDown, halfPageUp
  /// Scrolls down by a page.
  case readOn
  /// Opens the activity after the end of the current one.
  case openNext
  /// Opens the selection.
  case open
  /// Returns to the parent, or closes the overlay.
  case up
  /// Leaves the innermost selection, search or overlay. Returns to the parent if nothing can be left.
  case leave
  /// Closes an overlay.
  case close

  // Steps of a quiz, of flashcards and of reviews.
  /// Begins a review, a quiz or a round of flashcards, or continues it.
  case begin
  /// Goes to the next question, to the results, or back from them.
  case proceed
  case selectChoice, check
  case turn, turnBack
  /// Answers a card as suggested: *knew it* unless the choices were wrong.
  case known
  case forgot
  /// Selects a choice or an answer by its number, which begins at 1.
  case choice(Int)
  /// Repeats a finished quiz or round of flashcards.
  case restart
  case reviewAhead, addCards, suspendCard, resumeCards, bury, showSource
  /// Makes a card new again, or sets the day on which it is due.
  case forgetCard, setDue
  /// Changes an own card, and lists the own cards and the cards that are forgotten often.
  case editCard, ownCards, leeches
  /// Limits the Review tab to a place.
  case reviewPlaces

  // Texts.
  case nextMatch, previousMatch, nextLink, previousLink, followLink
  /// Records that the address of a link activity was visited.
  case visited
  case findInText, searchCourse
  case headings
  /// Selects a paragraph, table or code block.
  case nextBlock, previousBlock
  /// Toggles between wrapping and clipping of long code lines and wide tables.
  case wrap
  case scrollLeft, scrollRight
  case note, highlight, notes
  /// Makes a card of a passage or of a quiz question.
  case makeCard
  /// Checks an exercise, opens its files in an editor, and shows its next hint.
  case runCheck, edit, hint
  /// Allows the commands of a course.
  case allow
  /// Changes the maximum line length of texts.
  case wider, narrower

  // Navigation.
  case next, previous, back, forward, continueCourse
  case find
  case showPalette
  case toggleBookmark, showBookmarks
  case tab(Int)
  case nextTab, previousTab
  /// Moves the keyboard focus to the side pane, and back.
  case switchPane
  case openFromPane, leavePane

  // Find and History.
  case nextKind, toggleCourse
  case searchHistory, filter, exportHistory
  /// Replays the session of a step.
  case replay
  case previousWeek, nextWeek

  // Replay and tour.
  case pause, nextStep, previousStep, firstStep, lastStep
  /// Shows a tenth of a replay, 0…9.
  case seek(Int)
  /// Ends a replay or a tour at the visible place, or returns to the learner's place.
  case continueHere, endReplay, endTour

  // Everything else.
  case toggleDone, copy, layout, info, openOutside
  case settings, rename, remove, importAgain, add, export, wrongAnswers
  case undo, help, manual, tour, quit
}

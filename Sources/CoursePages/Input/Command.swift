/// An action that a key can trigger. Screens handle commands; ``KeyBindings`` maps keys to them.
package enum Command: Hashable {
  case chooseNext, choosePrevious, chooseFirst, chooseLast
  /// Opens the selection.
  case open
  /// Returns to the parent, or closes the overlay. Scrolls a wide block to the left.
  case up
  /// Leaves the innermost selection, search or overlay. Returns to the parent if nothing can be left.
  case leave
  /// Scrolls down by a page. At the end of a text, opens the next activity.
  case readOn
  case pageBack
  case next, previous
  /// Selects the previous match of a search.
  case previousMatch
  /// Scrolls by a page or half a page, but never to the next text.
  case pageDown, halfPageDown, halfPageUp
  case back, forward
  case find
  case showPalette
  case continueCourse
  case toggleBookmark, showBookmarks
  /// Adds a note to a text, highlights words of it, or lists the notes.
  case note, highlight, notes
  case toggleDone
  case copy
  /// Selects a paragraph, table or code block.
  case nextBlock, previousBlock
  /// Toggles between wrapping and clipping of long code lines and wide tables.
  case wrap
  case layout
  /// Changes the maximum line length of texts.
  case wider, narrower
  case info
  case tab(Int)
  case nextTab, previousTab
  /// Moves the keyboard focus to the side pane, and back.
  case switchPane
  /// Repeats a finished quiz or round of flashcards.
  case restart
  /// Selects which steps the history shows.
  case filter
  /// Writes the history or a course to a file.
  case export
  case help
  /// Starts the automatic tour of a course.
  case tour
  case quit
  /// Makes a card of a passage or of a quiz question.
  case makeCard
  /// Suspends the card of a review.
  case suspendCard
  /// Shows the settings.
  case settings
  /// Renames a place.
  case rename
  /// Removes a course, or imports it again from its source.
  case remove, importAgain
  /// Lists the headings of a text.
  case headings
  /// Lists the quiz questions that were answered incorrectly.
  case wrongAnswers
  /// Cancels the pending action that a notice announces.
  case undo
  /// Adds a course.
  case add
}

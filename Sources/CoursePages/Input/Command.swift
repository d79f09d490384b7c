/// What a key asks for. Screens answer commands and know no keys.
package enum Command: Hashable {
  case chooseNext, choosePrevious, chooseFirst, chooseLast
  /// Opens what is chosen.
  case open
  /// Leaves: to the parent, or out of what lies on top.
  case up
  /// Reads on: a page down; at the end, done and on to the next.
  case readOn
  case pageBack
  case next, previous
  case back, forward
  case find
  case goTo
  case goOn
  case mark, marks
  case toggleDone
  case copy
  case layout
  case info
  case tab(Int)
  case nextTab, previousTab
  /// Does once more what is over: a quiz, a round of cards.
  case again
  /// Of the history: chooses which steps are shown, and writes them into a file.
  case filter, export
  case help
  /// Walks through a course by itself.
  case tour
  case quit
  /// Adds a course.
  case add
}

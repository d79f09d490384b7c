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
  /// While a search is on: the match before.
  case previousFound
  /// A page, and half of one, without leaving what is read.
  case pageDown, halfPageDown, halfPageUp
  case back, forward
  case find
  case goTo
  case goOn
  case mark, marks
  /// Writes beside a text, or marks words of it, and lists what was written.
  case note, highlight, notes
  case toggleDone
  case copy
  /// Chooses a paragraph, a table or a piece of code.
  case nextBlock, previousBlock
  /// Shows the long lines of code and the columns of a table whole, or breaks them again.
  case wrap
  case layout
  /// Makes lines of texts longer or shorter.
  case wider, narrower
  case info
  case tab(Int)
  case nextTab, previousTab
  /// Gives the keys to what stands beside the page, and back.
  case otherPane
  /// Does once more what is over: a quiz, a round of cards.
  case again
  /// Of the history: chooses which steps are shown.
  case filter
  /// The history, or a course: into a file.
  case export
  case help
  /// Walks through a course by itself.
  case tour
  case quit
  /// How it looks, and which keys it has.
  case settings
  /// Gives a place a name.
  case rename
  /// Of a course: takes it away, and brings it in from its source once more.
  case remove, importAgain
  /// The headings of a text.
  case headings
  /// The history: the quizzes that were answered wrong.
  case wrongAnswers
  /// Takes back what a notice says will happen.
  case undo
  /// Adds a course.
  case add
}

import CoursePages
package import LearningModel

/// Writes a course into a file. The program that opens the browser knows how files are written.
package struct CourseExport: Sendable {
  /// The forms, the most usual first.
  package var forms: [HistoryExport.Form]
  /// Writes the course at a path of places into a file of that path, in place of one that is there only where it replaces
  /// it.
  package var write: @Sendable (PlacePath, HistoryExport.Form, _ path: String, _ replaces: Bool) throws -> Void
  /// Writes notes, as Markdown, into a file; `nil` where nothing does.
  package var writeNotes: (@Sendable (_ markdown: String, _ path: String, _ replaces: Bool) throws -> Void)?

  /// Makes a way to write courses.
  package init(
    forms: [HistoryExport.Form],
    write: @escaping @Sendable (PlacePath, HistoryExport.Form, _ path: String, _ replaces: Bool) throws -> Void,
    writeNotes: (@Sendable (_ markdown: String, _ path: String, _ replaces: Bool) throws -> Void)? = nil
  ) {
    self.forms = forms
    self.write = write
    self.writeNotes = writeNotes
  }
}

package import LearningModel
package import NavigationKit

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

/// Writes a history into files, in the forms for other programs. The program that opens the browser knows those forms.
package struct HistoryExport: Sendable {
  /// A form, known by the end of a file's name.
  package struct Form: Hashable, Sendable {
    /// How the name of such a file ends, without the dot.
    package var ending: String
    /// What it is, for people.
    package var name: String

    /// Names a form.
    package init(ending: String, name: String) {
      self.ending = ending
      self.name = name
    }
  }

  /// The forms, the most usual first.
  package var forms: [Form]
  /// Writes the steps of a filter into a file of that path, in place of one that is there only where it replaces it, and
  /// returns how many it has written.
  package var write: @Sendable (HistoryFilter, Form, _ path: String, _ replaces: Bool) throws -> Int

  /// Makes a way to write histories.
  package init(
    forms: [Form], write: @escaping @Sendable (HistoryFilter, Form, _ path: String, _ replaces: Bool) throws -> Int
  ) {
    self.forms = forms
    self.write = write
  }
}

package import LearningModel
package import NavigationKit

/// Writes a course to a file. The program that opens the browser provides the implementation.
package struct CourseExport: Sendable {
  /// The formats, the most common first.
  package var formats: [HistoryExport.Format]
  /// Writes the course at a path to a file or a folder. An existing one is replaced only if `replaces` is `true`. Returns
  /// what is left out, such as ` without the tags of 3 cards`, or an empty text.
  package var write: @Sendable (PlacePath, HistoryExport.Format, _ path: String, _ replaces: Bool) throws -> String
  /// Writes notes as Markdown to a file. `nil` if this is not available.
  package var writeNotes: (@Sendable (_ markdown: String, _ path: String, _ replaces: Bool) throws -> Void)?

  /// Creates an export from its formats and functions.
  package init(
    formats: [HistoryExport.Format],
    write: @escaping @Sendable (PlacePath, HistoryExport.Format, _ path: String, _ replaces: Bool) throws -> String,
    writeNotes: (@Sendable (_ markdown: String, _ path: String, _ replaces: Bool) throws -> Void)? = nil
  ) {
    self.formats = formats
    self.write = write
    self.writeNotes = writeNotes
  }
}

/// Writes a history to files in the formats of other programs. The program that opens the browser provides the
/// implementation.
package struct HistoryExport: Sendable {
  /// A file format, recognised by the extension of the file name.
  package struct Format: Hashable, Sendable {
    /// The file name extension, without the dot.
    package var fileExtension: String
    /// The name for display.
    package var name: String

    /// Creates a format.
    package init(fileExtension: String, name: String) {
      self.fileExtension = fileExtension
      self.name = name
    }
  }

  /// The formats, the most common first.
  package var formats: [Format]
  /// Writes the steps that match a filter to a file, and returns their number. An existing file is replaced only if
  /// `replaces` is `true`.
  package var write: @Sendable (HistoryFilter, Format, _ path: String, _ replaces: Bool) throws -> Int

  /// Creates an export from its formats and function.
  package init(
    formats: [Format],
    write: @escaping @Sendable (HistoryFilter, Format, _ path: String, _ replaces: Bool) throws -> Int
  ) {
    self.formats = formats
    self.write = write
  }
}

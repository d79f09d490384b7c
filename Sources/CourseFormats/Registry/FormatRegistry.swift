package import LearningModel

/// The table of all formats.
///
/// To add a format: write a ``CourseReader`` in a folder next to `MdBook/`, or a ``PageFolderReader`` if the sources
/// are folders of pages. Put a small course with every edge case of the format into `Fixtures/<format>/`, test the
/// draft that the reader returns, and add the reader to ``readers``. Archives need no extra work: a source is
/// unpacked before it is read.
package enum FormatRegistry {
  /// The readers of all formats, in the order in which ``reader(for:)`` tries them. More specific formats come first.
  /// For example, a book of mdBook is also a folder of Markdown files.
  package static let readers: [any CourseReader] = [
    WaymarkReader(),
    RustlingsReader(),
    ExercismReader(),
    ClassroomReader(),
    MdBookReader(),
    EPUBReader(),
    AnkiReader(),
    NotebookReader(),
    MarkdownFolderReader(),
    DocumentReader(),
    HTMLFolderReader(),
    PlainTextReader(),
  ]

  /// Returns the reader with that name.
  ///
  /// - Throws: ``CourseFormatError/unknownFormat(name:known:)``.
  package static func reader(named name: String) throws -> any CourseReader {
    guard let reader = readers.first(where: { $0.name == name }) else {
      throw CourseFormatError.unknownFormat(name: name, known: readers.map(\.name))
    }
    return reader
  }

  /// Returns the first reader that recognises the source.
  ///
  /// - Throws: The error of ``CourseSource`` for a file that no format can read,
  ///   ``CourseFormatError/foreign(source:name:advice:remedy:)`` if the source has a known format without a reader,
  ///   otherwise ``CourseFormatError/unrecognised(source:needs:)``.
  package static func reader(for source: CourseSource) throws -> any CourseReader {
    guard let reader = readers.first(where: { $0.recognises(source) }) else {
      throw source.omissions.error ?? ForeignFormat.error(of: source)
        ?? .unrecognised(source: source.name, needs: readers.map(\.requirements))
    }
    return reader
  }

  /// Returns whether a course keeps its keys if its source changes from one format to the other.
  package static func haveSameKeys(_ one: String, _ other: String) -> Bool {
    one == other
      || [one, other].allSatisfy { name in readers.contains { $0.name == name && $0.hasPathKeys } }
  }

  /// Returns whether a folder still has pages of the format in which it was imported before.
  package static func hasPages(of name: String, inFolder path: String) -> Bool {
    guard FileAccess.kind(at: path) == .folder, let reader = (try? reader(named: name)) as? any PageFolderReader,
      let source = try? CourseSource(path: path)
    else { return false }
    return reader.hasPages(source)
  }

  /// Reads a source with the named reader, or with the reader that recognises it.
  ///
  /// - Parameters:
  ///   - source: A file or a folder, or an archive, which was unpacked when it was opened.
  ///   - format: The name of a format, or `nil` to recognise it.
  ///   - options: The options for reading.
  /// - Throws: ``CourseFormatError``.
  package static func read(
    _ source: CourseSource, from format: String? = nil, options: ReadOptions = ReadOptions()
  ) throws -> CourseDraft {
    let reader = try format.map { try self.reader(named: $0) } ?? self.reader(for: source)
    return try reader.read(source, options: options)
  }
}

public import LearningModel

/// The one table of formats.
///
/// To add a format: write a ``CourseReader`` in a folder next to `MdBook/`, or a ``PageFolderReader`` if its sources are
/// folders of pages. Put a small course with every edge case of the format into `Fixtures/<format>/`, test the draft that
/// the reader returns, and add the reader to ``readers``. Archives need no work: a source is unpacked before it is read.
public enum FormatRegistry {
  /// Every format that can be imported, in the order in which they are asked whether they recognise a source: the more
  /// specific ones first, for a book of mdBook is a folder of Markdown too.
  public static let readers: [any CourseReader] = [
    WaymarkReader(),
    MdBookReader(),
    EPUBReader(),
    NotebookReader(),
    MarkdownFolderReader(),
    DocumentReader(),
    HTMLFolderReader(),
    PlainTextReader(),
  ]

  /// The reader of that name.
  ///
  /// - Throws: ``CourseFormatError/unknownFormat(name:known:)``.
  public static func reader(named name: String) throws -> any CourseReader {
    guard let reader = readers.first(where: { $0.name == name }) else {
      throw CourseFormatError.unknownFormat(name: name, known: readers.map(\.name))
    }
    return reader
  }

  /// Returns the first reader that recognises the source.
  ///
  /// - Throws: ``CourseFormatError/foreign(source:format:isFolder:)`` if it has a known format without a reader, otherwise
  ///   ``CourseFormatError/unrecognised(source:needs:)``.
  public static func reader(for source: CourseSource) throws -> any CourseReader {
    guard let reader = readers.first(where: { $0.recognises(source) }) else {
      throw source.omissions.error ?? ForeignFormat.error(of: source)
        ?? .unrecognised(source: source.name, needs: readers.map(\.needs))
    }
    return reader
  }

  /// Returns whether a course keeps its keys when its source changes from one format to the other.
  public static func haveSameKeys(_ one: String, _ other: String) -> Bool {
    one == other
      || [one, other].allSatisfy { name in readers.contains { $0.name == name && $0.hasPathKeys } }
  }

  /// Reads a source with the reader of that name, or with the one that recognises it.
  ///
  /// - Parameters:
  ///   - source: A file or folder; an archive is already unpacked.
  ///   - format: The name of a format; `nil` to find out.
  ///   - options: What a person says about the reading.
  /// - Throws: ``CourseFormatError``.
  public static func read(
    _ source: CourseSource, from format: String? = nil, options: ReadOptions = ReadOptions()
  ) throws -> CourseDraft {
    let reader = try format.map { try self.reader(named: $0) } ?? self.reader(for: source)
    return try reader.read(source, options: options)
  }
}

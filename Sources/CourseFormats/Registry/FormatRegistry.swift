public import LearningModel

/// The one table of formats.
///
/// To add a format: write a ``CourseReader`` in a folder of its own beside `MdBook/`, put a small course that has every
/// edge case of the format into `Fixtures/<format>/`, test what the reader makes of it, and add the reader to
/// ``readers``. Archives need no work: a source is unpacked before a reader sees it.
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

  /// Whether a course may come in either format and keep its keys: a folder of notebooks that gets a page of Markdown is
  /// one of Markdown from then on.
  public static func haveSameKeys(_ one: String, _ other: String) -> Bool {
    one == other || readsFolderOfPages(one) && readsFolderOfPages(other)
  }

  /// Whether authors of a format can write the key of an activity, or of its page, into the source.
  public static func hasWrittenKeys(_ name: String) -> Bool {
    let others: [any CourseReader] = [
      MdBookReader(), EPUBReader(), DocumentReader(), HTMLFolderReader(), PlainTextReader(),
    ]
    return !others.contains { $0.name == name }
  }

  /// Whether authors of a format can write the anchor of a heading into the source, and do so.
  public static func hasWrittenAnchors(_ name: String) -> Bool {
    ![EPUBReader().name, PlainTextReader().name].contains(name)
  }

  /// Whether the keys of a format are the paths of pages and the anchors of headings.
  private static func readsFolderOfPages(_ name: String) -> Bool {
    let readers: [any CourseReader] = [
      MarkdownFolderReader(), NotebookReader(), DocumentReader(), HTMLFolderReader(), PlainTextReader(),
    ]
    return readers.contains { $0.name == name }
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

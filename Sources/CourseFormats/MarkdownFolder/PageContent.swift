/// The content of a page before its text is parsed.
enum PageContent {
  case markdown(String)
  case notebook(Notebook)
  case html(String)
  case text(PlainText)

  /// Reads a page of Markdown, a notebook, an HTML page or a plain text.
  ///
  /// - Throws: ``CourseFormatError`` if the bytes are not text, or not a notebook although the name is that of one.
  init(_ bytes: [UInt8], path: String, kind: PageKind, limits: SourceLimits) throws {
    switch kind {
    case .html: self = .html(try HTMLPage.text(of: bytes, file: path))
    case .text: self = .text(PlainText(try TextDecoding.decode(bytes, file: path)))
    default:
      self =
        PageFiles.isNotebook(path)
        ? .notebook(try NotebookFile.read(bytes, file: path, limits: limits))
        : .markdown(try TextDecoding.decode(bytes, file: path))
    }
  }
}

extension CourseSource {
  /// The bytes of a page of it. Notebooks have their pictures in them, and may be as large as a course in one file.
  func pageBytes(of path: String) throws -> [UInt8] {
    guard isFolder else { return try bytes() }
    return try bytes(of: path, upTo: PageFiles.isNotebook(path) ? limits.sourceSize : nil)
  }
}

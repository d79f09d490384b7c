/// A page as it was read, before its text is.
enum PageContent {
  case markdown(String)
  case notebook(Notebook)

  /// Reads a page's bytes.
  ///
  /// - Throws: ``CourseFormatError`` where they are no text, or no notebook although their name says so.
  init(_ bytes: [UInt8], path: String, limits: SourceLimits) throws {
    self =
      PageFiles.isNotebook(path)
      ? .notebook(try NotebookFile.read(bytes, file: path, limits: limits))
      : .markdown(try TextDecoding.decode(bytes, file: path))
  }
}

extension CourseSource {
  /// The bytes of a page of it. Notebooks have their pictures in them, and may be as large as a course in one file.
  func pageBytes(of path: String) throws -> [UInt8] {
    guard isFolder else { return try bytes() }
    return try bytes(of: path, upTo: PageFiles.isNotebook(path) ? limits.sourceSize : nil)
  }
}

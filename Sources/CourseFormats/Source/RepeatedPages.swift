/// Counts what is read again because a table of contents lists it again: a short one can list long pages often.
struct RepeatedPages {
  /// How many bytes each page has that was read.
  private var sizes: [String: Int] = [:]
  private var bytes = 0

  /// Takes note of a page that was read.
  mutating func note(_ path: String, size: Int) { sizes[path] = size }

  /// Counts a page that is to be read; the first time is free.
  ///
  /// - Parameters:
  ///   - path: The page.
  ///   - limits: How much may be read again.
  ///   - file: The table of contents, which an error names.
  ///   - line: The line of the entry there, from 1.
  /// - Throws: `CourseFormatError.limit` where it is too much.
  mutating func count(_ path: String, limits: SourceLimits, listedIn file: String, line: Int?) throws {
    guard let size = sizes[path] else { return }
    // However short a page is, something is made of it.
    bytes += max(1 << 10, size)
    guard bytes <= limits.repeatedSize else {
      throw CourseFormatError.limit(.repeatedSize(limits.repeatedSize), file: file, line: line)
    }
  }
}

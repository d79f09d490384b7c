/// What Waymark takes from a `book.toml`.
struct BookConfiguration: Equatable {
  /// The book's title.
  var title: String?
  /// What the book is about.
  var description: String?
  /// The language of its texts.
  var language: String?
  /// The folder of its pages.
  var source = "src"
  /// What a hidden line of code begins with, by language; Rust's `#` has rules of its own.
  var hiddenPrefixes: [String: String] = [:]

  /// Reads the file.
  ///
  /// - Throws: ``CourseFormatError/malformed(file:line:found:advice:)``.
  init(_ toml: String, file: String) throws {
    var scanner = TOMLScanner(toml, file: file)
    for (path, value) in try scanner.strings() {
      switch path {
      case ["book", "title"]: title = value.onOneLine
      case ["book", "description"]: description = value.onOneLine
      case ["book", "language"]: language = value.onOneLine
      case ["book", "src"]: source = value
      default:
        if path.count == 5, path.starts(with: ["output", "html", "code", "hidelines"]) {
          hiddenPrefixes[path[4]] = value
        }
      }
    }
  }

  /// A book of which nothing is known.
  init() {}
}

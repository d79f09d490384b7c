public import LearningModel

/// Reads HTML pages and folders of them: the output of documentation generators and mirrored sites.
public struct HTMLFolderReader: CourseReader {
  /// `html`.
  public let name = "html"
  /// A description for `waymark formats`.
  public let summary =
    "An HTML page, or a folder of them: the output of rustdoc, Sphinx and other generators, or a mirrored site."
  /// The page that a source must have.
  public let needs = "an HTML page, such as 'index.html'"
  /// The nodes that folders and pages become.
  public let mapping = FormatMapping(
    goal: "a folder at the top, or an entry of the start page's navigation",
    lesson: "a page, or a folder inside a folder",
    activity: "a page; of a long page, its sections joined to sittings")

  /// Creates the reader.
  public init() {}

  /// Whether the source is an HTML page, or a folder with at least as many of them as of other documents. The packages of
  /// learning systems are not, although they contain HTML pages.
  public func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return Self.isPage(source) }
    let counts = PageFiles.Look(source).counts
    return counts[.html, default: 0] > 0 && counts[.html, default: 0] >= counts[.document, default: 0]
      && ForeignFormat.package(source) == nil
  }

  private static func isPage(_ source: CourseSource) -> Bool {
    if PageKind.html.isPage(source.name) { return true }
    let head = source.head(count: 512)?.drop(while: \.isWhitespace).lowercased() ?? ""
    return head.hasPrefix("<!doctype html") || head.hasPrefix("<html")
  }

  /// Reads the whole source.
  ///
  /// - Throws: ``CourseFormatError``.
  public func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard source.isFolder ? PageFiles.Look(source).counts[.html] != nil : Self.isPage(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: needs)
    }
    var course = try FolderCourse(source, options: options, pages: .html)
    return try course.read(format: name)
  }
}

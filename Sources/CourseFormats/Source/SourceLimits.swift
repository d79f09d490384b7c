/// How much of a source is read before it is refused: what stands between a hostile file and the machine.
public struct SourceLimits: Hashable, Sendable {
  /// The largest single source file, such as a course in one JSON file, in bytes.
  public var sourceSize = 64 << 20
  /// The largest text file in a folder, in bytes.
  public var fileSize = 8 << 20
  /// All that is unpacked from an archive, in bytes.
  public var unpackedSize = 2 << 30
  /// How many times larger than itself an archive may become; asked above the first 16 MiB.
  public var unpackedRatio = 200
  /// Files and folders in a folder or an archive.
  public var entries = 1_000_000
  /// Folders inside folders.
  public var pathDepth = 24
  /// Blocks inside blocks, or values inside values.
  public var nestingDepth = 64
  /// Nodes of a course.
  public var nodes = 1_000_000
  /// Aliases in a YAML text.
  public var aliases = 64
  /// The largest YAML text, in bytes.
  public var yamlSize = 64 << 10
  /// Includes inside includes. Source: mdBook's `MAX_LINK_NESTED_DEPTH`.
  public var includeDepth = 10
  /// Columns of a table in Markdown.
  public var tableColumns = 256
  /// Cells of a Markdown text's tables that its rows leave out, and that are there all the same, empty.
  public var tableGaps = 50_000
  /// What one page may become with everything that it includes, and with its notes below each part, in bytes.
  public var expandedSize = 16 << 20
  /// All pages that are read again because a table of contents lists them again, in bytes.
  public var repeatedSize = 4 << 20

  /// The largest picture that is kept, in bytes; a larger one is told of by its description.
  public var pictureSize = 8 << 20
  /// All pictures of a course that are kept, in bytes.
  public var picturesSize = 256 << 20

  /// Makes the limits that hold unless a test says otherwise.
  public init() {}

  /// The limits that hold unless a test says otherwise.
  public static let standard = SourceLimits()
}

/// A limit that a source has broken, with what it allows.
public enum BrokenLimit: Hashable, Sendable {
  /// ``SourceLimits/sourceSize``, in bytes.
  case sourceSize(Int)
  /// ``SourceLimits/fileSize``, in bytes.
  case fileSize(Int)
  /// ``SourceLimits/unpackedSize``, in bytes.
  case unpackedSize(Int)
  /// ``SourceLimits/unpackedRatio``.
  case unpackedRatio(Int)
  /// ``SourceLimits/entries``.
  case entries(Int)
  /// ``SourceLimits/pathDepth``.
  case pathDepth(Int)
  /// ``SourceLimits/nestingDepth``.
  case nestingDepth(Int)
  /// ``SourceLimits/nodes``.
  case nodes(Int)
  /// ``SourceLimits/aliases``.
  case aliases(Int)
  /// ``SourceLimits/yamlSize``, in bytes.
  case yamlSize(Int)
  /// ``SourceLimits/includeDepth``.
  case includeDepth(Int)
  /// ``SourceLimits/tableColumns``.
  case tableColumns(Int)
  /// ``SourceLimits/tableGaps``.
  case tableGaps(Int)
  /// ``SourceLimits/expandedSize``, in bytes.
  case expandedSize(Int)
  /// ``SourceLimits/repeatedSize``, in bytes.
  case repeatedSize(Int)

  /// What was found, as the middle of a sentence.
  var found: String {
    switch self {
    case .sourceSize(let bytes): "it is larger than \(Self.size(bytes))"
    case .fileSize(let bytes): "the file is larger than \(Self.size(bytes))"
    case .unpackedSize(let bytes): "it unpacks to more than \(Self.size(bytes))"
    case .unpackedRatio(let ratio): "it unpacks to more than \(ratio) times its own size"
    case .entries(let count): "it has more than \(count) files and folders"
    case .pathDepth(let depth): "folders stand inside folders more than \(depth) deep"
    case .nestingDepth(let depth): "something stands inside something else more than \(depth) deep"
    case .nodes(let count): "the course has more than \(count) goals, lessons and activities"
    case .aliases(let count): "the YAML uses more than \(count) aliases"
    case .yamlSize(let bytes): "the YAML is longer than \(Self.size(bytes))"
    case .includeDepth(let depth): "files include one another more than \(depth) deep"
    case .tableColumns(let count): "a table has more than \(count) columns"
    case .tableGaps(let count): "rows of tables leave out more than \(count) cells"
    case .repeatedSize(let bytes): "the pages that it lists again are larger than \(Self.size(bytes)) together"
    case .expandedSize(let bytes): "with what it includes and notes, the page is larger than \(Self.size(bytes))"
    }
  }

  /// What to do about it, as a sentence.
  var advice: String {
    switch self {
    case .sourceSize: "Split the course, or import it as a folder."
    case .fileSize: "Split the file, or take it out of the course."
    case .unpackedSize: "Unpack it yourself, and import the folder."
    case .unpackedRatio: "If you trust it, unpack it yourself, and import the folder."
    case .entries: "Import a folder that holds the course and nothing else."
    case .pathDepth: "Move the content up."
    case .nestingDepth: "Write it flatter."
    case .nodes: "Split the course."
    case .aliases, .yamlSize: "Write the values out; Waymark's fields are short."
    case .includeDepth: "Look for files that include themselves."
    case .tableColumns: "Split the table, or make it a list."
    case .tableGaps: "Give each row as many cells as its heading has, or make narrower tables."
    case .repeatedSize: "List each page once."
    case .expandedSize: "Include less, or split the page."
    }
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case (1 << 30)...: "\(bytes >> 30) GiB"
    case (1 << 20)...: "\(bytes >> 20) MiB"
    case (1 << 10)...: "\(bytes >> 10) KiB"
    default: "\(bytes) bytes"
    }
  }
}

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

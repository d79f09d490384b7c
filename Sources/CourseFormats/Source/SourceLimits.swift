/// The limits beyond which a source is rejected. They protect the machine from hostile files.
package struct SourceLimits: Hashable, Sendable {
  /// The maximum size of a single source file, such as a course in one JSON file, in bytes.
  package var sourceSize = 64 << 20
  /// The maximum size of a text file in a folder, in bytes.
  package var fileSize = 8 << 20
  /// The maximum total size of the files unpacked from an archive, in bytes.
  package var unpackedSize = 2 << 30
  /// The maximum ratio of unpacked to packed size. Checked only above the first 16 MiB.
  package var unpackedRatio = 200
  /// The maximum number of files and folders in a folder or an archive.
  package var entries = 1_000_000
  /// The maximum nesting depth of folders.
  package var pathDepth = 24
  /// The maximum nesting depth of blocks or values.
  package var nestingDepth = 64
  /// The maximum number of nodes in a course.
  package var nodes = 1_000_000
  /// The maximum number of aliases in a YAML text.
  package var aliases = 64
  /// The maximum size of a YAML text, in bytes.
  package var yamlSize = 64 << 10
  /// The maximum depth of includes. Source: mdBook's `MAX_LINK_NESTED_DEPTH`.
  package var includeDepth = 10
  /// The maximum number of elements of a text: opening tags of HTML, or lines and signs of markup in Markdown. The
  /// parsers need up to 1 KiB of memory for each.
  package var elements = 800_000
  /// The maximum number of attributes of a tag. libxml2 compares each attribute with all others.
  package var attributes = 4_000
  /// The maximum number of columns of a table.
  package var tableColumns = 256
  /// The maximum total number of cells that are missing in the rows of a text's tables. Missing cells are added as
  /// empty cells.
  package var tableGaps = 50_000
  /// The maximum size of a page with its includes and the footnotes below each of its sections, in bytes.
  package var expandedSize = 16 << 20
  /// The maximum total size that includes add to all pages of a source, as a multiple of the size of the pages. Checked
  /// only above the first ``expandedSize`` bytes.
  package var includedRatio = 16
  /// The maximum total size, in bytes, of pages that the table of contents lists again.
  package var repeatedSize = 4 << 20

  /// The maximum size of a collection of Anki, packed or unpacked, in bytes.
  package var collectionSize = 1 << 30
  /// The maximum size of one side of a card after its template is filled, in bytes.
  package var cardSize = 1 << 20
  /// The maximum total size of the cards that templates make of a collection, as a multiple of its size. Checked only
  /// above the first 16 MiB.
  package var cardsRatio = 50

  /// The maximum size of a stored image, in bytes. The description of a larger image is shown instead.
  package var imageSize = 8 << 20
  /// The maximum total size of the stored images of a course, in bytes.
  package var totalImageSize = 256 << 20

  /// The maximum number of files of an exercise.
  package var exerciseFiles = 1_000
  /// The maximum size of a file of an exercise, in bytes.
  package var exerciseFileSize = 1 << 20
  /// The maximum total size of the files of an exercise, in bytes.
  package var exerciseSize = 8 << 20
  /// The maximum total size of the files of all exercises of a course, in bytes. Equal files count once.
  package var totalExerciseSize = 64 << 20

  /// Makes the standard limits.
  package init() {}

  /// The standard limits, which only tests change.
  package static let standard = SourceLimits()
}

/// A limit that a source exceeds, with its value.
package enum ExceededLimit: Hashable, Sendable {
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
  /// ``SourceLimits/elements``.
  case elements(Int)
  /// ``SourceLimits/attributes``.
  case attributes(Int)
  /// ``SourceLimits/tableColumns``.
  case tableColumns(Int)
  /// ``SourceLimits/tableGaps``.
  case tableGaps(Int)
  /// ``SourceLimits/expandedSize``, in bytes.
  case expandedSize(Int)
  /// ``SourceLimits/expandedSize``, in bytes, for the includes of all pages, and ``SourceLimits/includedRatio``.
  case includedSize(Int, ratio: Int)
  /// ``SourceLimits/repeatedSize``, in bytes.
  case repeatedSize(Int)
  /// ``SourceLimits/cardSize``, in bytes.
  case cardSize(Int)
  /// ``SourceLimits/cardsRatio``.
  case cardsRatio(Int)

  /// The description of the problem, as the middle of a sentence.
  var problem: String {
    switch self {
    case .sourceSize(let bytes): "it is larger than \(Self.size(bytes))"
    case .fileSize(let bytes): "the file is larger than \(Self.size(bytes))"
    case .unpackedSize(let bytes): "it unpacks to more than \(Self.size(bytes))"
    case .unpackedRatio(let ratio): "it unpacks to more than \(ratio) times its own size"
    case .entries(let count): "it has more than \(count) files and folders"
    case .pathDepth(let depth): "its folders are nested more than \(depth) levels deep"
    case .nestingDepth(let depth): "its content is nested more than \(depth) levels deep"
    case .nodes(let count): "the course has more than \(count) goals, lessons and activities"
    case .aliases(let count): "the YAML uses more than \(count) aliases"
    case .yamlSize(let bytes): "the YAML is longer than \(Self.size(bytes))"
    case .includeDepth(let depth): "its includes are nested more than \(depth) levels deep"
    case .elements(let count): "it has more than \(count) tags, lines or signs of markup"
    case .attributes(let count): "a tag has more than \(count) attributes"
    case .tableColumns(let count): "a table has more than \(count) columns"
    case .tableGaps(let count): "rows of tables leave out more than \(count) cells"
    case .repeatedSize(let bytes): "the pages that are listed repeatedly are larger than \(Self.size(bytes)) in total"
    case .cardSize(let bytes): "its template makes a side of a card larger than \(Self.size(bytes))"
    case .cardsRatio(let ratio): "its templates make cards that are larger than \(ratio) times the collection"
    case .includedSize(let bytes, let ratio):
      "the includes of all pages add \(Self.size(bytes)) more than \(ratio) times the size of the pages"
    case .expandedSize(let bytes): "with its includes and notes, the page is larger than \(Self.size(bytes))"
    }
  }

  /// The remedy, as a sentence.
  var advice: String {
    switch self {
    case .sourceSize: "Split the course, or import it as a folder."
    case .fileSize: "Split the file, or remove it from the course."
    case .unpackedSize: "Unpack it yourself, and import the folder."
    case .unpackedRatio: "If you trust it, unpack it yourself, and import the folder."
    case .entries: "Import a folder that contains only the course."
    case .pathDepth: "Move the content up."
    case .nestingDepth: "Reduce the nesting."
    case .nodes: "Split the course."
    case .aliases, .yamlSize: "Write short values without aliases."
    case .includeDepth: "Check for files that include themselves."
    case .elements: "Split the page."
    case .attributes: "Close the tag."
    case .tableColumns: "Split the table, or convert it to a list."
    case .tableGaps: "Write as many cells in each row as in the header, or use narrower tables."
    case .repeatedSize: "List each page once."
    case .cardSize, .cardsRatio: "Use each field fewer times in the templates of its note types."
    case .expandedSize: "Include less, or split the page."
    case .includedSize: "Include less."
    }
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case (1 << 30)...: "\(bytes >> 30) GiB"
    case (1 << 20)...: "\(bytes >> 20) MiB"
    case (1 << 10)...: "\(bytes >> 10) KiB"
    default: "\(bytes) bytes"
    }
  }
}

/// Counts the bytes of pages that are read repeatedly. This is limited, because a short table of contents could list
/// long pages many times.
struct RepeatedPages {
  /// The size in bytes of each page that was read.
  private var sizes: [String: Int] = [:]
  private var bytes = 0

  /// Records the size of a page that was read.
  mutating func record(_ path: String, size: Int) { sizes[path] = size }

  /// Counts a page before it is read. The first reading of a page is not counted.
  ///
  /// - Parameters:
  ///   - path: The page.
  ///   - limits: The limits. Only ``SourceLimits/repeatedSize`` is checked.
  ///   - file: The table of contents, for errors.
  ///   - line: The line number of its entry, from 1.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the limit is exceeded.
  mutating func count(_ path: String, limits: SourceLimits, listedIn file: String, line: Int?) throws {
    guard let size = sizes[path] else { return }
    // Even an empty page produces a node, so each page counts as at least 1 KiB.
    bytes += max(1 << 10, size)
    guard bytes <= limits.repeatedSize else {
      throw CourseFormatError.limit(.repeatedSize(limits.repeatedSize), file: file, line: line)
    }
  }
}

import LearningModel
import Synchronization

/// The number of bytes that the includes of all pages of a source add. It is limited, because pages that include other
/// pages several times multiply the text of a small source.
final class IncludedBytes: Sendable {
  private let bytes = Mutex(0)

  /// Allows the pages to include more bytes, in proportion to the size of a page.
  func allow(page size: Int, limits: SourceLimits) { bytes.withLock { $0 -= size * limits.includedRatio } }

  /// Adds bytes, and returns whether the limit is exceeded.
  func add(_ size: Int, limits: SourceLimits) -> Bool {
    bytes.withLock { bytes in
      bytes += size
      return bytes > limits.expandedSize
    }
  }
}

/// The files that are open while a page is expanded, and the number of bytes that they add to the page.
///
/// A reader opens every included file here before it expands the file. A page therefore cannot include itself, and its
/// size is limited before the memory is used.
struct IncludeStack {
  private struct OpenFile {
    let path: String
    let part: String
  }

  /// The open files, the page first.
  private var open: [OpenFile]
  private var bytes = 0
  /// The files that were refused because they were open.
  private var refused: Set<String> = []
  private let limits: SourceLimits
  private let total: IncludedBytes
  /// The limit that the includes of the page exceed, or `nil`. No file is opened after it is exceeded.
  private(set) var error: CourseFormatError?

  /// - Parameter total: The bytes that the includes of all pages add.
  init(page: String, limits: SourceLimits, total: IncludedBytes) {
    open = [OpenFile(path: page, part: "")]
    self.limits = limits
    self.total = total
  }

  /// The number of open files without the page.
  var depth: Int { open.count - 1 }

  /// Opens a file, unless it is already open or a limit is exceeded. The caller closes the file with ``close()``.
  ///
  /// - Parameters:
  ///   - path: The path relative to the source.
  ///   - part: The name of the part of the file that is included; empty for the whole file.
  ///   - size: The size of that part in bytes.
  ///   - findings: Receives a warning if the file is already open.
  /// - Returns: Whether the file was opened.
  mutating func open(_ path: String, part: String = "", size: Int, _ findings: inout Findings) -> Bool {
    guard error == nil else { return false }
    guard !refuses(path, part: part, &findings) else {
      // The caller has read the file.
      _ = count(size / 16)
      return false
    }
    if depth >= limits.includeDepth { fail(.includeDepth(limits.includeDepth)) }
    guard count(size) else { return false }
    open.append(OpenFile(path: path, part: part))
    return true
  }

  /// Returns whether a file cannot be opened because it is open, and warns once about it.
  mutating func refuses(_ path: String, part: String, _ findings: inout Findings) -> Bool {
    let isOpen = open.contains { $0.path == path && (part.isEmpty || $0.part == part) }
    if isOpen, refused.insert(path).inserted {
      findings.warning(
        open[0].path, nil,
        "\(quoted: path) includes itself on this page. The repetition is left out. Remove the include.")
    }
    return isOpen
  }

  /// Closes the file that was opened last.
  mutating func close() { open.removeLast() }

  /// Counts bytes that are added to the page.
  ///
  /// - Returns: Whether the page remains within the limits.
  mutating func count(_ size: Int) -> Bool {
    // Reading a file takes time even if it is empty, so each file counts as at least 1 KiB.
    let size = max(1 << 10, size)
    bytes += size
    if bytes > limits.expandedSize { fail(.expandedSize(limits.expandedSize)) }
    if total.add(size, limits: limits) {
      fail(.includedSize(limits.expandedSize, ratio: limits.includedRatio))
    }
    return error == nil
  }

  private mutating func fail(_ limit: ExceededLimit) {
    error = error ?? .limit(limit, file: open[0].path, line: nil)
  }
}

import Foundation

/// A temporary folder that only its user can read.
struct ScratchFolder {
  /// The largest standard input, in bytes.
  private static let mostInput = 64 << 20

  let path: String

  /// The folder to delete when the program exits without unwinding, as it does when a pipe is closed.
  nonisolated(unsafe) private static var remaining: String?

  /// - Throws: ``CommandFailure/cannotCreate(file:reason:)``.
  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let pattern = (parent.isEmpty ? "/tmp" : parent) + "/waymark-XXXXXX"
    var bytes = Array(pattern.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw CommandFailure.cannotCreate(file: pattern, reason: OutputName.words(errno))
    }
    path = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    Self.remaining = path
    atexit { if let path = ScratchFolder.remaining { try? FileManager.default.removeItem(atPath: path) } }
  }

  /// Deletes the folder with everything in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    Self.remaining = nil
  }

  /// Saves all of standard input in the folder, with the ending that its first bytes suggest.
  ///
  /// - Returns: The file's path.
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``, ``CommandFailure/inputTooLong(most:)``.
  func saveStandardInput() throws -> String {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure.cannotRead(file: BrowserStart.standardInput)
      }
      if count == 0 { break }
      input += buffer[..<count]
      guard input.count <= Self.mostInput else { throw CommandFailure.inputTooLong(most: Self.mostInput) }
    }
    let file = path + "/standard-input" + Self.ending(of: input)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure.cannotCreate(file: file, reason: OutputName.words(errno)) }
    defer { close(descriptor) }
    var written = 0
    while written < input.count {
      let count = input.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + written, $0.count - written) }
      guard count > 0 || errno == EINTR else {
        throw CommandFailure.cannotWrite(file: file, reason: OutputName.words(errno))
      }
      written += max(0, count)
    }
    return file
  }

  /// The ending of a file's name that begins with these bytes. A text is read as Markdown.
  private static func ending(of bytes: [UInt8]) -> String {
    let head = String(decoding: bytes.prefix(512), as: UTF8.self)
    let first = head.first { !$0.isWhitespace }
    return switch first {
    case "{" where head.contains("\"waymark\""): ".json"
    case "{" where String(decoding: bytes, as: UTF8.self).contains("\"nbformat\""): ".ipynb"
    case "<": ".html"
    default: bytes.contains(0) || head.hasPrefix("%PDF") ? "" : ".md"
    }
  }
}

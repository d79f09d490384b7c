import CTerminal
import CourseKit
import ExternalPrograms
import Foundation

/// A temporary folder that only the user can read.
///
/// A second process deletes the folder when this process ends, even if a signal ends it. The second process waits for a
/// pipe to be closed, which the system does when this process ends.
struct ScratchFolder {
  /// The name of standard input on the command line.
  static let standardInput = "-"
  /// The maximum size of standard input in bytes.
  private static let maximumInputBytes = 64 << 20

  let path: String
  /// The write end of the pipe, which this process keeps open. -1 if there is no second process.
  private let cleanupPipe: Int32
  private let remover: RunningProgram?

  /// - Throws: ``CommandFailure/cannotCreate(file:reason:)``.
  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let pattern = (parent.isEmpty ? "/tmp" : parent) + "/waymark-XXXXXX"
    var bytes = Array(pattern.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw CommandFailure.cannotCreate(file: pattern, reason: errno.systemMessage)
    }
    path = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var ends: [Int32] = [-1, -1]
    guard cterminal_pipe(&ends) == 0 else {
      (cleanupPipe, remover) = (-1, nil)
      return
    }
    // The read end must block, because the second process waits on it.
    _ = fcntl(ends[0], F_SETFL, 0)
    let shell = ExternalProgram(path: "/bin/sh")
    remover = shell.start(["-c", "cat; exec rm -rf -- \"$1\"", "sh", path], input: ends[0])
    close(ends[0])
    cleanupPipe = ends[1]
  }

  /// Deletes the folder and its content.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    if cleanupPipe >= 0 { close(cleanupPipe) }
    _ = remover?.waitForEnd()
  }

  /// Saves standard input in the folder. The file's extension is derived from its first bytes.
  ///
  /// - Returns: The path of the file.
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``, ``CommandFailure/inputTooLong(limit:)``.
  func saveStandardInput() throws -> String {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure.cannotRead(file: Self.standardInput)
      }
      if count == 0 { break }
      input += buffer[..<count]
      guard input.count <= Self.maximumInputBytes else {
        throw CommandFailure.inputTooLong(limit: Self.maximumInputBytes)
      }
    }
    return try save(input, as: "standard-input" + Self.ending(of: input))
  }

  /// Saves bytes as a file in the folder.
  ///
  /// - Returns: The path of the file.
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func save(_ bytes: [UInt8], as name: String) throws -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure.cannotCreate(file: file, reason: errno.systemMessage) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + written, $0.count - written) }
      guard count > 0 || errno == EINTR else {
        throw CommandFailure.cannotWrite(file: file, reason: errno.systemMessage)
      }
      written += max(0, count)
    }
    return file
  }

  /// Returns the file extension for a content. Text is treated as Markdown, unless it is the terminal output of a
  /// program such as `man`.
  private static func ending(of bytes: [UInt8]) -> String {
    let beginning = String(decoding: bytes.prefix(512), as: UTF8.self)
    let first = beginning.first { !$0.isWhitespace }
    return switch first {
    case "{" where beginning.contains("\"waymark\""): ".json"
    case "{" where String(decoding: bytes, as: UTF8.self).contains("\"nbformat\""): ".ipynb"
    case "<": ".html"
    default:
      if bytes.contains(0) || beginning.hasPrefix("%PDF") {
        ""
      } else {
        CourseLibrary.isProgramOutput(String(decoding: bytes, as: UTF8.self)) ? ".txt" : ".md"
      }
    }
  }
}

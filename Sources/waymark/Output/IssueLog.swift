import Foundation
import LearningModel
import TextCanvas

/// A log of program faults that did not end the program, one per line, for bug reports.
///
/// Only the owner can read the file. Its size is limited: the oldest lines are removed first. Errors while writing are
/// ignored, because they must not interrupt the learner.
struct IssueLog {
  /// The maximum size in bytes.
  static let limit = 64 * 1024

  let path: String

  /// Appends one line.
  func write(_ message: String, at time: Timestamp) {
    let line = "\(time) waymark \(ProgramVersion.current): \(message.harmlessLines)\n"
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Does not write to symbolic links and other files that are not regular.
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) == 0 else {
      return
    }
    if Int(status.st_size) + line.utf8.count > Self.limit {
      let retained = lines.suffix(while: Self.limit / 2)
      try? file.truncate(atOffset: 0)
      try? file.write(contentsOf: Data(retained.utf8))
    }
    try? file.write(contentsOf: Data(String(line.prefix(Self.limit / 4)).utf8))
  }

  /// The number of lines.
  var count: Int { lines.count }

  private var lines: [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }
}

extension Timestamp {
  /// The current time, rounded down to seconds.
  static var atNow: Timestamp { Timestamp(milliseconds: Int64(time(nil)) * 1000) }
}

extension [Substring] {
  /// Returns as many of the last lines as fit into a number of bytes, as one text.
  fileprivate func suffix(while bytes: Int) -> String {
    var remaining = bytes
    var retainedLines: [Substring] = []
    for line in reversed() {
      remaining -= line.utf8.count + 1
      if remaining < 0 { break }
      retainedLines.append(line)
    }
    return retainedLines.reversed().map { $0 + "\n" }.joined()
  }
}

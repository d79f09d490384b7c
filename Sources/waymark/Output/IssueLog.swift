import Foundation
import LearningModel
import TextCanvas

/// Faults of the program that were answered without stopping it, one a line, for a bug report.
///
/// Readable by its owner alone, and of a bounded size: the oldest lines go first. That it cannot be written is no error:
/// it must not disturb the reading of a course.
struct IssueLog {
  /// Bytes at most.
  static let limit = 64 * 1024

  let path: String

  /// Adds one line; what was written twice in a row is kept twice.
  func write(_ words: String, at time: Timestamp) {
    let line = "\(time) waymark \(ProgramVersion.current): \(words.harmlessLines)\n"
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // What is no ordinary file of ours, such as a link, is left alone.
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) == 0 else {
      return
    }
    if Int(status.st_size) + line.utf8.count > Self.limit {
      let kept = lines.suffix(while: Self.limit / 2)
      try? file.truncate(atOffset: 0)
      try? file.write(contentsOf: Data(kept.utf8))
    }
    try? file.write(contentsOf: Data(String(line.prefix(Self.limit / 4)).utf8))
  }

  /// How many lines there are.
  var count: Int { lines.count }

  private var lines: [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }
}

extension Timestamp {
  /// Now, to the second.
  static var atNow: Timestamp { Timestamp(milliseconds: Int64(time(nil)) * 1000) }
}

extension [Substring] {
  /// The last lines that fit into so many bytes, as one text.
  fileprivate func suffix(while bytes: Int) -> String {
    var left = bytes
    var kept: [Substring] = []
    for line in reversed() {
      left -= line.utf8.count + 1
      if left < 0 { break }
      kept.append(line)
    }
    return kept.reversed().map { $0 + "\n" }.joined()
  }
}

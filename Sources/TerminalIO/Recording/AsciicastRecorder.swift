import TextCanvas
import WholeNumbers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Records the output to a terminal in a file that `asciinema play` can play.
///
/// Source: asciicast file format, version 2: a header object on the first line, then one array `[seconds, kind, data]`
/// per line.
final class AsciicastRecorder {
  /// The reason why the recording ended early, or `nil` if everything was recorded.
  private(set) var failure: TerminalError?
  private let path: String
  private let descriptor: Int32
  private let start: Double
  /// The number of bytes of complete lines in the file.
  private var length = 0
  /// The bytes of an incomplete character. An event contains text, but output may be split at any byte.
  private var unfinished: [UInt8] = []

  /// Starts a recording, and replaces the contents of the file.
  ///
  /// - Throws: ``TerminalError/cannotRecord(path:code:)``.
  init(path: String, size: CellSize, environment: TerminalEnvironment, now: Double) throws(TerminalError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotRecord(path: path, code: errno) }
    self.path = path
    start = now
    let term = environment["TERM"] ?? ""
    put(
      "{\"version\": 2, \"width\": \(size.columns), \"height\": \(size.rows), \"timestamp\": \(time(nil)), "
        + "\"env\": {\"TERM\": \(term.quotedInJSON)}}\n")
    if case .recordingEnded(_, let code) = failure {
      close()
      throw .cannotRecord(path: path, code: code)
    }
  }

  /// Records output.
  func record(_ bytes: UnsafeRawBufferPointer.SubSequence, now: Double) {
    unfinished.append(contentsOf: bytes)
    let completeCount = unfinished.count - Self.lengthOfUnfinished(unfinished)
    guard completeCount > 0 else { return }
    put(event: "o", String(decoding: unfinished[..<completeCount], as: UTF8.self), now)
    unfinished.removeFirst(completeCount)
  }

  /// Records a change of the terminal's size.
  func recordResize(_ size: CellSize, now: Double) {
    put(event: "r", "\(size.columns)x\(size.rows)", now)
  }

  /// Ends the recording.
  func close() { systemClose(descriptor) }

  private func put(event kind: String, _ text: String, _ now: Double) {
    let micros = Int(clamping: ((now - start) * 1e6).rounded())
    let fraction = String(micros % 1_000_000)
    let seconds = "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    put("[\(seconds), \"\(kind)\", \(text.quotedInJSON)]\n")
  }

  /// Writes a line immediately, so that the recording is complete if the program crashes.
  ///
  /// If a line cannot be written, the recording ends after the last complete line, and players can show it up to there.
  /// Output to the terminal continues.
  private func put(_ line: String) {
    guard failure == nil else { return }
    var line = line
    let code = line.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    if code == 0 {
      length += line.utf8.count
    } else {
      failure = .recordingEnded(path: path, code: code)
      ftruncate(descriptor, off_t(length))
    }
  }

  /// - Returns: 0, or `errno`.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = systemWrite(descriptor, remaining)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      remaining = remaining.dropFirst(count)
    }
    return 0
  }

  /// Returns the number of bytes at the end that belong to an incomplete character.
  private static func lengthOfUnfinished(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}

// Access to the functions of the system that are hidden by methods of the recorder.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer.SubSequence) -> Int {
  write(descriptor, UnsafeRawBufferPointer(rebasing: bytes).baseAddress, bytes.count)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes what goes to a terminal into a file that `asciinema play` shows again.
///
/// Source: asciicast file format, version 2: a header object on the first line, then one `[seconds, kind, data]` a line.
final class AsciicastRecorder {
  /// Why the recording ended before its time; `nil` while all of it is in the file.
  private(set) var failure: TerminalError?
  private let path: String
  private let descriptor: Int32
  private let start: Double
  /// How many bytes of whole lines are in the file.
  private var length = 0
  /// Bytes of a character that is not yet whole: an event holds text, and a slice may end anywhere.
  private var unfinished: [UInt8] = []

  /// Begins a recording, in place of what the file held.
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

  /// Records bytes that went to the terminal.
  func record(_ bytes: UnsafeRawBufferPointer.SubSequence, now: Double) {
    unfinished.append(contentsOf: bytes)
    let whole = unfinished.count - Self.lengthOfUnfinished(unfinished)
    guard whole > 0 else { return }
    put(event: "o", String(decoding: unfinished[..<whole], as: UTF8.self), now)
    unfinished.removeFirst(whole)
  }

  /// Records that the terminal has another size.
  func recordResize(_ size: CellSize, now: Double) {
    put(event: "r", "\(size.columns)x\(size.rows)", now)
  }

  /// Ends the recording.
  func close() { systemClose(descriptor) }

  private func put(event kind: String, _ text: String, _ now: Double) {
    let micros = Int(((now - start) * 1e6).rounded())
    let fraction = String(micros % 1_000_000)
    let seconds = "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    put("[\(seconds), \"\(kind)\", \(text.quotedInJSON)]\n")
  }

  /// Writes a line at once, since a recording of a program that crashes is worth most.
  ///
  /// What cannot be written ends the recording with the last whole line, which players show up to there. The screen does
  /// not wait for that.
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
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// How many bytes at the end begin a character that is not whole.
  private static func lengthOfUnfinished(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}

// The system's own names, which the recorder's methods hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer.SubSequence) -> Int {
  write(descriptor, UnsafeRawBufferPointer(rebasing: bytes).baseAddress, bytes.count)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

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
  private let file: UnsafeMutablePointer<FILE>
  private let start: Double
  /// Bytes of a character that is not yet whole: an event holds text, and a slice may end anywhere.
  private var unfinished: [UInt8] = []

  /// Begins a recording, in place of what the file held.
  ///
  /// - Throws: ``TerminalError/cannotRecord(path:code:)``.
  init(path: String, size: CellSize, environment: Environment, now: Double) throws(TerminalError) {
    guard let file = fopen(path, "we") else { throw .cannotRecord(path: path, code: errno) }
    self.file = file
    start = now
    let term = environment["TERM"] ?? ""
    put(
      "{\"version\": 2, \"width\": \(size.columns), \"height\": \(size.rows), \"timestamp\": \(time(nil)), "
        + "\"env\": {\"TERM\": \(Self.quoted(term))}}\n")
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
  func close() { fclose(file) }

  private func put(event kind: String, _ text: String, _ now: Double) {
    let micros = Int(((now - start) * 1e6).rounded())
    let fraction = String(micros % 1_000_000)
    let seconds = "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    put("[\(seconds), \"\(kind)\", \(Self.quoted(text))]\n")
    // A recording of a program that crashes is worth most.
    fflush(file)
  }

  private func put(_ line: String) { fputs(line, file) }

  /// How many bytes at the end begin a character that is not whole.
  private static func lengthOfUnfinished(_ bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }

  /// Text as JSON. Source: RFC 8259, section 7.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

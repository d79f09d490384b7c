import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A text file with the expected output of one test.
///
/// The test `a card is turned` in any folder of `Tests/CourseBrowserTests`, in the file `CardTests.swift`, has the
/// snapshot `Tests/CourseBrowserTests/Snapshots/CardTests/a-card-is-turned.txt`. A test with several snapshots gives
/// each of them a name, for example `a-card-is-turned.back.txt`. The file ends with a line feed that is not part of the
/// text.
public struct Snapshot: Sendable {
  /// The absolute path of the file.
  public let path: String

  /// Derives the path from the location of a test.
  ///
  /// - Parameters:
  ///   - name: Distinguishes the snapshots of one test.
  ///   - test: The test function, as `#function` returns it.
  ///   - fileID: The module and name of the test's file, as `#fileID` returns it.
  ///   - filePath: The absolute path of the test's file. It contains the module's folder.
  public init(_ name: String?, test: String, fileID: String = #fileID, filePath: String = #filePath) {
    let module = fileID.prefix { $0 != "/" }
    let folder = filePath.components(separatedBy: "/\(module)/")[0] + "/\(module)/Snapshots"
    let file = URL(filePath: filePath).deletingPathExtension().lastPathComponent
    let function = test.hasPrefix("`") ? test.dropFirst().prefix { $0 != "`" } : test.prefix { $0 != "(" }
    path =
      "\(folder)/\(file)/" + ([String(function)] + (name.map { [$0] } ?? [])).map(Self.slug).joined(separator: ".")
      + ".txt"
  }

  /// The stored text.
  public var text: String {
    get throws { String(decoding: try Data(contentsOf: URL(filePath: path)).dropLast(), as: UTF8.self) }
  }

  /// Returns the ASCII letters and digits in lower case. Other characters between them are replaced by one hyphen.
  private static func slug(_ text: String) -> String {
    let isKept = { (byte: UInt8) in byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || 0x30...0x39 ~= byte) }
    return text.lowercased().utf8.split { !isKept($0) }.map { String(Substring($0)) }.joined(separator: "-")
  }

  /// Compares a text with the file, or writes it to the file.
  ///
  /// - Parameter isWriting: Writes the file instead of comparing it.
  /// - Returns: A message with a line diff if the text differs from the file or the file does not exist, otherwise
  ///   `nil`.
  /// - Throws: The error of Foundation if the file cannot be read or written.
  func mismatch(with text: String, isWriting: Bool) throws -> String? {
    let file = URL(filePath: path)
    if isWriting {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: file, options: .atomic)
      return nil
    }
    guard FileManager.default.fileExists(atPath: path) else {
      return "Could not compare with '\(path)': the file does not exist. Set WAYMARK_WRITE_FIXTURES=1 to write it."
    }
    let stored = try self.text
    guard stored != text else { return nil }
    return """
      The text differs from '\(path)' (- expected, + found). Set WAYMARK_WRITE_FIXTURES=1 to rewrite the file.
      \(Self.difference(from: stored, to: text))
      """
  }

  /// Returns the lines that differ, each with at most two equal lines before and after it. Trailing blanks are drawn as
  /// `·`.
  static func difference(from expected: String, to actual: String) -> String {
    let (old, new) = (lines(of: expected), lines(of: actual))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var rows: [(sign: String, line: String)] = []
    var (next, nextNew) = (0, 0)
    while next < old.count || nextNew < new.count {
      if removed.contains(next) {
        rows.append(("-", old[next]))
        next += 1
      } else if inserted.contains(nextNew) {
        rows.append(("+", new[nextNew]))
        nextNew += 1
      } else {
        rows.append((" ", old[next]))
        (next, nextNew) = (next + 1, nextNew + 1)
      }
    }
    let visible = rows.indices.filter { index in
      rows[max(0, index - 2)..<min(rows.count, index + 3)].contains { $0.sign != " " }
    }
    return visible.map { index in
      (index > 0 && !visible.contains(index - 1) ? "@ line \(index + 1)\n" : "")
        + "\(rows[index].sign) \(rows[index].line)"
    }.joined(separator: "\n")
  }

  private static func lines(of text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let blanks = line.reversed().prefix { $0 == " " }.count
      return String(line.dropLast(blanks)) + String(repeating: "·", count: blanks)
    }
  }

  /// Appends the path to a file. Several processes may append to the same file.
  ///
  /// `Tests/run` compares the paths with the existing files to find the snapshots that no test reads.
  func log(to file: String) {
    guard let stream = fopen(file, "a") else { return }
    fputs("\(path)\n", stream)
    fclose(stream)
  }
}

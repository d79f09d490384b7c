import Foundation
import Testing

/// Records an issue with a line diff if a text differs from the snapshot file of the calling test.
///
/// If the environment variable `WAYMARK_WRITE_FIXTURES` is set, the text is written to the file instead.
///
/// - Parameters:
///   - text: The text that the test produced.
///   - name: Distinguishes the snapshots of one test.
public func expectSnapshot(
  _ text: some StringProtocol, _ name: String? = nil, test: String = #function, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  let environment = ProcessInfo.processInfo.environment
  let snapshot = Snapshot(name, test: test, fileID: fileID, filePath: filePath)
  if let log = environment["WAYMARK_SNAPSHOT_LOG"] { snapshot.log(to: log) }
  let message: String?
  do {
    message = try snapshot.mismatch(with: String(text), isWriting: environment["WAYMARK_WRITE_FIXTURES"] != nil)
  } catch {
    message = "Could not open '\(snapshot.path)': \(error)"
  }
  guard let message else { return }
  Issue.record(
    Comment(rawValue: message),
    sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Compares lines with the snapshot file of the calling test. See `expectSnapshot(_:_:)` for texts.
public func expectSnapshot(
  _ lines: some Sequence<some StringProtocol>, _ name: String? = nil, test: String = #function,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  expectSnapshot(
    lines.joined(separator: "\n"), name, test: test, fileID: fileID, filePath: filePath, line: line, column: column)
}

import Foundation
import TestSupport
import Testing

@testable import Snapshots

struct SnapshotTests {
  private func snapshot(in folder: TemporaryFolder, _ name: String? = nil) -> Snapshot {
    Snapshot(
      name, test: "`a card (the 2nd) is turned`(side:)", fileID: "CardTests/Turning.swift",
      filePath: folder.file("CardTests/Sides/Turning.swift"))
  }

  @Test func `the path is derived from the module, the file, the test and the name`() throws {
    let folder = try TemporaryFolder()

    #expect(
      snapshot(in: folder).path == folder.file("CardTests/Snapshots/Turning/a-card-the-2nd-is-turned.txt"))
    #expect(
      snapshot(in: folder, "at 2.5").path
        == folder.file("CardTests/Snapshots/Turning/a-card-the-2nd-is-turned.at-2-5.txt"))
    #expect(
      Snapshot(nil, test: "turned(_:)", fileID: "CardTests/Turning.swift", filePath: "/CardTests/Turning.swift").path
        == "/CardTests/Snapshots/Turning/turned.txt")
  }

  @Test func `a missing file is a mismatch until it is written`() throws {
    let folder = try TemporaryFolder()
    let snapshot = snapshot(in: folder)

    #expect(
      try snapshot.mismatch(with: "front", isWriting: false)
        == "Could not compare with '\(snapshot.path)': the file does not exist. "
        + "Set WAYMARK_WRITE_FIXTURES=1 to write it.")
    #expect(try snapshot.mismatch(with: "front", isWriting: true) == nil)
    #expect(try snapshot.mismatch(with: "front", isWriting: false) == nil)
    #expect(try snapshot.text == "front")
    #expect(try String(contentsOfFile: snapshot.path, encoding: .utf8) == "front\n")
  }

  @Test func `a mismatch names the file and shows the differing lines with visible trailing blanks`() throws {
    let folder = try TemporaryFolder()
    let snapshot = snapshot(in: folder)
    _ = try snapshot.mismatch(with: (1...9).map { "row \($0)" }.joined(separator: "\n"), isWriting: true)

    let message = try snapshot.mismatch(
      with: "row 1\nrow 2 \nrow 3\nrow 4\nrow 5\nrow 6\nrow 7\nrow 8\nrow 9\nrow 10", isWriting: false)

    #expect(
      message == """
        The text differs from '\(snapshot.path)' (- expected, + found). Set WAYMARK_WRITE_FIXTURES=1 to rewrite the file.
          row 1
        - row 2
        + row 2·
          row 3
          row 4
        @ line 9
          row 8
          row 9
        + row 10
        """)
  }

  @Test(arguments: ["front\n", "front ", "", "\nfront"])
  func `trailing blanks and empty lines count as differences`(text: String) throws {
    let snapshot = try snapshot(in: TemporaryFolder())
    _ = try snapshot.mismatch(with: "front", isWriting: true)

    #expect(try snapshot.mismatch(with: text, isWriting: false) != nil)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["WAYMARK_WRITE_FIXTURES"] == nil, "snapshots are written"))
  func `a mismatch is recorded at the line of the test`() throws {
    let folder = try TemporaryFolder()

    withKnownIssue {
      expectSnapshot(
        ["front", "back"], test: "sides()", fileID: "CardTests/Turning.swift",
        filePath: folder.file("CardTests/Turning.swift"), line: 7, column: 3)
    } matching: { issue in
      issue.sourceLocation?.line == 7 && issue.comments.contains { $0.rawValue.contains("Snapshots/Turning/sides.txt") }
    }
  }

  @Test func `a text and its lines are compared with the file of the calling test`() {
    expectSnapshot("front\nback")
    expectSnapshot(["front", "back"])
  }

  @Test func `the path of each snapshot is appended to the log`() throws {
    let folder = try TemporaryFolder()

    snapshot(in: folder).log(to: folder.file("log"))
    snapshot(in: folder, "back").log(to: folder.file("log"))

    #expect(
      try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        == "\(snapshot(in: folder).path)\n\(snapshot(in: folder, "back").path)\n")
  }
}

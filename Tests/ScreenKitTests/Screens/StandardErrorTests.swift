import Foundation
import ScreenKit
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@MainActor @Suite struct StandardErrorTests {
  /// Runs a block and returns the lines that it writes to standard error.
  private func errors(of body: () throws -> Void) throws -> [Substring] {
    let folder = try TemporaryFolder()
    let path = folder.file("errors.txt")
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    let original = dup(STDERR_FILENO)
    dup2(file, STDERR_FILENO)
    defer {
      close(file)
      close(original)
    }
    do {
      defer { dup2(original, STDERR_FILENO) }
      try body()
    }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  }

  @Test func `without a handler an issue is written to standard error`() throws {
    let handler = ScreenIssue.handler
    defer { ScreenIssue.handler = handler }
    ScreenIssue.handler = nil

    let lines = try errors { ScreenIssue.ambiguousMatch(id: "standard error").report(on: nil) }

    #expect(lines.contains(Substring("ScreenKit: \(ScreenIssue.ambiguousMatch(id: "standard error"))")))
  }

  @Test func `with a handler nothing is written to standard error`() throws {
    let handler = ScreenIssue.handler
    defer { ScreenIssue.handler = handler }
    var issues: [ScreenIssue] = []
    ScreenIssue.handler = { issues.append($0) }
    let stack = StackScreen(root: Screen(title: "A"))
    let stage = makeStage(stack, issues: nil)

    let lines = try errors {
      ScreenIssue.ambiguousMatch(id: "to the handler").report(on: stage)
      stage.onIssue = { issues.append($0) }
      ScreenIssue.ambiguousMatch(id: "to the stage").report(on: stage)
    }

    #expect(issues == [.ambiguousMatch(id: "to the handler"), .ambiguousMatch(id: "to the stage")])
    #expect(!lines.contains { $0.contains("to the") })
  }
}

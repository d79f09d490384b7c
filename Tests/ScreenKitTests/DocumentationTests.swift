import Foundation
import Motion
import ScreenKit
import Testing
import TextCanvas

// The transition of the front page, as it stands there.
final class Wipe: AnimatedTransitioning, TransitionProvider {
  func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.25 }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let layer = context.to.layer
    let whole = layer.frame
    layer.clipsToBounds = true
    layer.frame.width = 0
    animate(duration: transitionDuration(using: context), curve: .easeOut) {
      layer.frame.width = whole.width
    } completion: { _ in
      layer.frame = whole
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { self }
}

/// Numbers of the checklist and traces, and the tests that hold them, as they stand in the sources.
struct ChecklistTable {
  static let numbers: [String] =
    [("S0", 55), ("S1", 30), ("S2", 64), ("S3", 24), ("S4", 17), ("X", 8)].flatMap { part, count in
      (1...count).map { "\(part).\($0)" }
    } + ["T1", "T2", "T3", "T4", "T5", "T6", "T6b", "T7", "T8", "T9", "T10"]

  let tests: [String: [String]]

  init(sources folder: URL) throws {
    var tests: [String: [String]] = [:]
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var paths: [URL] = []
    while let file = files?.nextObject() as? URL { if file.pathExtension == "swift" { paths.append(file) } }
    for path in paths.sorted(by: { $0.path < $1.path }) {
      let parts = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "@Test(").dropFirst()
      for part in parts {
        guard let list = part.range(of: ".checklist("), let end = part[list.upperBound...].firstIndex(of: ")"),
          let open = part.range(of: "func\\s+`", options: .regularExpression),
          let close = part[open.upperBound...].firstIndex(of: "`"),
          list.lowerBound < open.lowerBound
        else { continue }
        let name = String(part[open.upperBound..<close])
        for number in part[list.upperBound..<end].split(separator: "\"").map(String.init) where number.first != "," {
          if Self.numbers.contains(number) { tests[number, default: []].append(name) }
        }
      }
    }
    self.tests = tests
  }

  var missing: [String] { Self.numbers.filter { tests[$0] == nil } }

  /// The page of the documentation.
  var page: String {
    var page = """
      # The checklist

      Every behaviour by its number, and the tests that hold it. After an arrow stands what takes the place of something
      that a terminal, or this library's types, cannot have.

      S0 custom containers, S1 matched elements, S2 the roles and their order, S3 the simple way, S4 a first fade, X across
      all of them, T the traces: whole lists of calls. Made from the test sources; a test says when it is out of date.

      | number | behaviour | held by |
      |---|---|---|

      """
    for (number, words) in Checklist.behaviours {
      page += "| \(number) | \(words) | \((tests[number] ?? []).joined(separator: "; ")) |\n"
    }
    return page
  }
}

@MainActor @Suite struct DocumentationTests {
  private let tests = URL(filePath: #filePath).deletingLastPathComponent()

  private var documentation: URL {
    tests.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Sources/ScreenKit/Documentation.docc")
  }

  @Test func `no number of the checklist is without a test`() throws {
    #expect(try ChecklistTable(sources: tests).missing == [])
    #expect(Checklist.behaviours.map(\.number) == ChecklistTable.numbers)
  }

  @Test func `the documentation lists the tests as they are`() throws {
    let page = documentation.appending(path: "Checklist.md")
    let expected = try ChecklistTable(sources: tests).page
    if ProcessInfo.processInfo.environment["UPDATE_CHECKLIST"] != nil {
      try expected.write(to: page, atomically: true, encoding: .utf8)
    }

    let found = try String(contentsOf: page, encoding: .utf8)

    #expect(found == expected, "Run the tests once with UPDATE_CHECKLIST=1 to write it again.")
  }

  @Test func `the transition of the front page runs`() throws {
    let stack = StackScreen(root: TracingScreen("A"))
    let wipe = Wipe()
    stack.transitions = wipe
    let stage = Stage(size: CellSize(columns: 8, rows: 1), rootScreen: stack)

    let push = try stack.push(TracingScreen("B"), animated: true)
    push.fractionComplete = 0.5
    let half = stage.picture(at: 0)
    push.finish()

    #expect(half == ["BBBBAAAA"])
    #expect(stage.picture(at: 1) == ["BBBBBBBB"])
  }

  @Test func `the code of the front page is the code that is tested`() throws {
    let page = try String(contentsOf: documentation.appending(path: "ScreenKit.md"), encoding: .utf8)
    let source = try String(contentsOf: tests.appending(path: "DocumentationTests.swift"), encoding: .utf8)
    let start = try #require(page.range(of: "final class Wipe"))
    let end = try #require(page[start.lowerBound...].range(of: "\n```"))

    #expect(source.contains(page[start.lowerBound..<end.lowerBound]))
  }
}

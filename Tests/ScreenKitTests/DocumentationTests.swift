import Foundation
import Testing
import TextCanvas

@testable import ScreenKit

/// The tests for each number of the checklist and each trace, as declared in the sources.
struct ChecklistTable {
  static let numbers: [String] =
    [("S0", 55), ("S1", 30), ("S2", 64), ("S3", 24), ("S4", 17), ("X", 8)].flatMap { section, count in
      (1...count).map { "\(section).\($0)" }
    } + ["T1", "T2", "T3", "T4", "T5", "T6", "T6b", "T7", "T8", "T9", "T10"]

  let tests: [String: [String]]

  init(sources folder: URL) throws {
    var tests: [String: [String]] = [:]
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var paths: [URL] = []
    while let file = files?.nextObject() as? URL { if file.pathExtension == "swift" { paths.append(file) } }
    for path in paths.sorted(by: { $0.path < $1.path }) {
      let declarations = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "@Test(").dropFirst()
      for declaration in declarations {
        guard let list = declaration.range(of: ".checklist("),
          let end = declaration[list.upperBound...].firstIndex(of: ")"),
          let open = declaration.range(of: "func\\s+`", options: .regularExpression),
          let close = declaration[open.upperBound...].firstIndex(of: "`"),
          list.lowerBound < open.lowerBound
        else { continue }
        let name = String(declaration[open.upperBound..<close])
        for number in declaration[list.upperBound..<end].split(separator: "\"").map(String.init)
        where number.first != "," {
          if Self.numbers.contains(number) { tests[number, default: []].append(name) }
        }
      }
    }
    self.tests = tests
  }

  /// Returns the numbers in a table cell: one number, or all of a range such as `S0.1–S0.5`. Other text is returned
  /// unchanged.
  static func spelledOut(_ cell: Substring) -> [String] {
    let ends = cell.split(separator: "–").map(String.init)
    guard ends.count == 2, let first = numbers.firstIndex(of: ends[0]), let last = numbers.firstIndex(of: ends[1]),
      first < last
    else { return [String(cell)] }
    return Array(numbers[first...last])
  }

  var missing: [String] { Self.numbers.filter { tests[$0] == nil } }

  /// The expected text of the documentation page `Checklist.md`.
  var page: String {
    var page = """
      # The checklist

      All behaviours of transitions with their numbers and tests. The text after an arrow describes the replacement for a
      feature that is impossible in a terminal or with the types of this library.

      S0: custom containers; S1: matched elements; S2: roles and their order; S3: transitions with an animation block; S4: a
      simple fade; X: behaviours of all transitions; T: complete lists of calls. This page is generated from the tests, and
      a test fails if it is out of date.

      | number | behaviour | tests |
      |---|---|---|

      """
    for (number, behaviour) in Checklist.behaviours {
      page += "| \(number) | \(behaviour) | \((tests[number] ?? []).joined(separator: "; ")) |\n"
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

  @Test func `every number of the checklist has a test`() throws {
    #expect(try ChecklistTable(sources: tests).missing == [])
    #expect(Checklist.behaviours.map(\.number) == ChecklistTable.numbers)
  }

  @Test func `the documentation lists the current names of the tests`() throws {
    let page = documentation.appending(path: "Checklist.md")
    let expected = try ChecklistTable(sources: tests).page
    if ProcessInfo.processInfo.environment["UPDATE_CHECKLIST"] != nil {
      try expected.write(to: page, atomically: true, encoding: .utf8)
    }

    let actual = try String(contentsOf: page, encoding: .utf8)

    #expect(actual == expected, "Run the tests once with UPDATE_CHECKLIST=1 to write it again.")
  }

  @Test func `the table of uses in Waymark has every number once, in order`() throws {
    let page = try String(contentsOf: documentation.appending(path: "InWaymark.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { $0.components(separatedBy: " | ") }

    let listed = rows.dropFirst().flatMap { ChecklistTable.spelledOut($0[0].dropFirst(2)) }

    #expect(rows.allSatisfy { $0.count == 2 })
    #expect(listed == ChecklistTable.numbers)
  }

  @Test func `the overview page's transition runs in both directions and can cancel`() throws {
    let screens = "AB".map { TracingScreen("\($0)") }
    let stack = StackScreen(root: screens[0])
    let blind = Blind()
    stack.transitions = blind
    let stage = Stage(size: CellSize(columns: 4, rows: 2), rootScreen: stack)
    func half(_ transition: Transition?) throws -> [String] {
      try #require(transition).fractionComplete = 0.5
      return stage.picture(at: stage.now)
    }

    let push = try stack.push(screens[1], animated: true)
    let forward = try half(push)
    push.finish()
    let pushed = stage.picture(at: 1)
    let pop = try #require(stack.pop(animated: true))
    let back = try half(pop)
    pop.cancel()
    let cancelled = stage.picture(at: 2)
    stack.pop(animated: true)

    #expect(forward == ["BBBB", "AAAA"])
    #expect(pushed == ["BBBB", "BBBB"])
    #expect(back == ["BBBB", "AAAA"])
    #expect(cancelled == pushed)
    #expect(stage.picture(at: 3) == ["AAAA", "AAAA"])
    #expect(screens.allSatisfy { $0.layer.model == LayerState(frame: stack.layer.bounds) })
  }

  @Test func `the overview page's transition runs in every kind of container`() throws {
    for place in ContainerScene.Kind.allCases {
      let it = ContainerScene(place)
      let blind = Blind()
      it.provider.other = blind
      for navigate in [it.forward, it.back] {
        let transition = try #require(try navigate(true))
        transition.fractionComplete = 0.5
        it.stage.advance(to: it.stage.now + 1)
        transition.finish()
        it.stage.advance(to: it.stage.now + 2)
        #expect(transition.outcome == .completed)
      }
      it.provider.last = nil
      it.expectQuiet("\(place)")
    }
    let it = try TracedContainer()
    it.delegate.animator = Blind()
    it.container.press(1)
    it.stage.advance(to: 1)
    #expect(it.layers == "B")
    #expect(it.issues.all == [])
  }

  @Test(arguments: [0, 0.001]) func `the example loop of the overview page ends even if the clock stops`(
    step: Double
  ) throws {
    let it = try TracedStack("A", also: "B")
    var (clock, frames, waits) = (0.0, 0, [Double]())
    try it.stack.push(it["B"], animated: true)

    draw(it.stage, now: { clock }) {
      waits.append($0)
      // Makes an endless loop fail instead of hanging.
      clock += waits.count < 100 ? step : 1
    } show: { _ in
      frames += 1
    }

    #expect(it.layerTitles == "B")
    #expect(frames < 70)
    #expect(waits == waits.sorted() && Set(waits).count == waits.count)
  }

  @Test(arguments: [(columns: 3, stays: true), (columns: 7, stays: false)])
  func `the overview page's gesture pops only after a third of the width`(row: (columns: Int, stays: Bool)) throws {
    let it = try TracedStack("AB")
    it.provider.interaction = letHandsPop(it.stack, from: it.stack.layer)
    func mouse(_ action: MouseEvent.Action, _ column: Int, at time: Double) {
      it.stage.handle(.mouse(MouseEvent(action, at: CellPoint(column: column, row: 0))), at: time)
    }

    mouse(.press(.left), 0, at: 0)
    for column in 1...row.columns { mouse(.drag(.left), column, at: Double(column) / 10) }
    mouse(.release(.left), row.columns, at: 1)
    it.stage.advance(to: 4)

    #expect(it.stackTitles == (row.stays ? "AB" : "A"))
    #expect(it.issues.all == [])
  }

  @Test(arguments: ["final class Blind", "let interaction =", "final class Pile", "while let due"])
  func `the code of the overview page matches the tested code`(
    beginning: String
  ) throws {
    let page = try String(contentsOf: documentation.appending(path: "ScreenKit.md"), encoding: .utf8)
    let source = try String(contentsOf: tests.appending(path: "FrontPageExamples.swift"), encoding: .utf8)
    func plain(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
    let start = try #require(page.range(of: beginning))
    let end = try #require(page[start.lowerBound...].range(of: "\n```"))
    let code = page[start.lowerBound..<end.lowerBound]

    #expect(plain(source).contains(plain(code)))
    #expect(code.split(separator: "\n").count <= 20)
  }
}

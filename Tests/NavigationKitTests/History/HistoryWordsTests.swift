import Foundation
import GRDB
import LearningModel
import Testing

@testable import NavigationKit

@Suite struct HistoryWordsTests {
  /// A Friday morning.
  private static let now = Timestamp("2026-11-20T10:15:30Z")!.date
  private static let utc = TimeZone(identifier: "UTC")!

  private func filter(_ text: String) throws -> HistoryFilter {
    try HistoryFilter(titleTexts: text, now: Self.now, in: Self.utc)
  }

  private func moment(_ text: String) -> Date { Timestamp(text)!.date }

  @Test func `a query has filters and title words in any order`() throws {
    #expect(try filter("") == HistoryFilter())
    #expect(
      try filter("rust after:monday kind:quiz  Lab")
        == HistoryFilter(since: moment("2026-11-16T00:00:00Z"), type: .quiz, titleTexts: ["rust", "Lab"]))
    #expect(
      try filter("before:today kind:lesson in:rust/intro by:search session:12")
        == HistoryFilter(
          under: .text("rust/intro"), kind: .lesson, cause: .search, session: "12",
          until: moment("2026-11-19T23:59:59.999Z")))
    #expect(
      try filter("on:yesterday")
        == HistoryFilter(since: moment("2026-11-19T00:00:00Z"), until: moment("2026-11-19T23:59:59.999Z")))
    #expect(
      try filter("after:\"yesterday 21:00\" \"kind:quiz\" C++:x Rust: 10:15 SINCE:1d")
        == HistoryFilter(since: moment("2026-11-19T10:15:30Z"), titleTexts: ["kind:quiz", "C++:x", "Rust:", "10:15"]))
  }

  @Test(arguments: HistoryCriteria.wordNames)
  func `a filter without a value is named`(name: String) {
    for text in ["\(name):", "rust \(name): lab", "\(name.uppercased()):\"\"", "\(name):\" \""] {
      let error = #expect(throws: NavigationError.self) { try filter(text) }
      guard case .unknownFilterValue(let filter, _, _) = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
      #expect(filter == name)
    }
  }

  @Test(arguments: HistoryCriteria.options.map(\.name).filter { $0 != "query" })
  func `an option without a value is named`(name: String) {
    let error = #expect(throws: NavigationError.self) {
      try HistoryFilter(of: .current, now: Self.now, in: Self.utc) { $0 == name ? " " : nil }
    }
    guard case .unknownFilterValue(name, " ", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["\"rust", "kind:quiz \"a b\" \"rust", "text:\"rust", "rust\""])
  func `a quotation mark without a second one is named`(text: String) {
    let mark = text.lastIndex(of: "\"")!
    #expect(throws: NavigationError.openQuotation(text: String(text[mark...]))) { try filter(text) }
  }

  @Test func `a filter can be a time after the year 9999`() throws {
    for text in ["10026-11-28", "+010026-11-28", "10026-11-28T00:00:00.000Z", "10026-11-28T00:00"] {
      #expect(try filter("since:\(text)").since == moment("10026-11-28"), "\(text)")
    }
    #expect(try filter("on:10026-11").until == moment("10026-11-30T23:59:59.999Z"))
  }

  @Test func `the last of equal filters counts`() throws {
    #expect(try filter("kind:quiz kind:goal") == HistoryFilter(kind: .goal))
    #expect(try filter("kind:goal kind:quiz") == HistoryFilter(type: .quiz))
    #expect(try filter("type:quiz kind:activity") == HistoryFilter(kind: .activity))
    #expect(try filter("kind:activity type:QUIZ") == HistoryFilter(kind: .activity, type: .quiz))
    #expect(try filter("on:yesterday after:today").until == moment("2026-11-19T23:59:59.999Z"))
  }

  @Test(arguments: [
    (["query": "kind:quiz"], HistoryFilter(type: .quiz)),
    (["query": "kind:quiz", "kind": "activity"], HistoryFilter(kind: .activity)),
    (["query": "kind:quiz", "type": "link"], HistoryFilter(type: .link)),
    (["query": "kind:lesson", "type": "link"], HistoryFilter(kind: .lesson, type: .link)),
    (["kind": "activity", "type": "link"], HistoryFilter(kind: .activity, type: .link)),
    (
      ["query": "in:rust by:key lab", "under": "english"],
      HistoryFilter(under: "english", cause: .key, titleTexts: ["lab"])
    ),
    (["query": "answers:right", "answers": "wrong"], HistoryFilter(answers: .wrong)),
    (
      ["query": "on:yesterday", "since": "2026-11-01"],
      HistoryFilter(since: Timestamp("2026-11-01T00:00:00Z")?.date, until: Timestamp("2026-11-19T23:59:59.999Z")?.date)
    ),
  ])
  func `an option replaces the query filter of the same name`(options: [String: String], expected: HistoryFilter) throws
  {
    let filter = try HistoryFilter(of: .current, now: Self.now, in: Self.utc) { options[$0] }

    #expect(filter == expected)
  }

  @Test func `an option with an unknown value is refused`() {
    #expect(throws: NavigationError.unknownFilterValue(filter: "answers", value: "no", known: ["wrong", "right"])) {
      _ = try HistoryFilter(of: .current, now: Self.now, in: Self.utc) { $0 == "answers" ? "no" : nil }
    }
  }

  @Test(arguments: [
    (
      "afer:monday",
      "Could not filter by 'afer': the history has no such filter. Did you mean after?"
    ),
    (
      "xyzzy:1",
      "Could not filter by 'xyzzy': the history has no such filter. Use one of course, in, under, kind, "
        + "type, operation, transition, session, by, cause, after, since, on, before, until, text, answers, is, or "
        + "write the words without the colon."
    ),
    (
      "kind:exam",
      "Could not filter by 'kind:exam': this filter has no such value. Use kind: and one of reading, flashcards, "
        + "quiz, link, exercise, activity, lesson, goal, course, root."
    ),
    (
      "answers:false",
      "Could not filter by 'answers:false': this filter has no such value. Use answers: and one of wrong, right."
    ),
    (
      "by:magic",
      "Could not filter by 'by:magic': this filter has no such value. Use by: and one of key, mouse, search, "
        + "bookmark, link, shell, api, system."
    ),
    (
      "after:soon",
      "Could not read the time 'soon': the format is not supported. Use 2026-11-20, 2026-11-20T10:15, 10:15, "
        + "yesterday, 'tuesday 10:15', or a time before now such as 10m, 3h, 7d or 2w."
    ),
  ])
  func `an error lists the known filters and values`(text: String, message: String) {
    do {
      _ = try filter(text)
      Issue.record("nothing was thrown")
    } catch {
      #expect(String(describing: error) == message)
    }
  }

  @Test func `the history is filtered by type and by title words`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    try service.perform(.open("english/meetings/middle/rounds/circle"))
    try service.perform(.open("english/negotiating/offers/range"))

    func titles(_ text: String) throws -> [String] {
      try service.history.page(filter(text)).rows.map(\.to.title)
    }

    #expect(try titles("kind:activity") == ["Range", "Circle"])
    #expect(try titles("r A") == ["Range"])
    try fixture.write {
      let node = try fixture.node("english/negotiating/offers/range", in: $0)
      try $0.execute(
        sql: "UPDATE activityContent SET type = 'quiz' WHERE node = ?", arguments: [node])
    }
    #expect(try titles("kind:quiz") == ["Range"])
    #expect(try titles("kind:reading range") == [])
  }

  @Test func `the history is filtered by whether the last answers were wrong or right`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let (range, circle) = ("english/negotiating/offers/range", "english/meetings/middle/rounds/circle")
    func titles(_ text: String) throws -> [String] {
      try service.history.page(filter(text)).rows.map(\.to.title)
    }

    try service.perform(.open(.text(range)))
    try service.progress.record(.quizChecked(answers: [[1], [0]], score: 0.5), in: .text(range))
    try service.perform(.open(.text(circle)))
    try service.progress.record(.quizChecked(answers: [[1]], score: 0), in: .text(circle))
    let wrong = try titles("answers:wrong")
    try service.progress.record(.quizChecked(answers: [[0]], score: 1), in: .text(circle))
    try service.perform(.open("english/negotiating"))

    #expect(wrong == ["Circle", "Range"])
    #expect(try titles("answers:wrong") == ["Range"])
    #expect(try titles("answers:right") == ["Circle"])
    #expect(try titles("answers:wrong circle") == [])
    #expect(try fixture.service("bob").history.page(filter("answers:wrong")).rows.isEmpty)
  }

  @Test func `the filters for states list the last step at each begun or done activity`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    let (range, circle) = ("english/negotiating/offers/range", "english/meetings/middle/rounds/circle")
    func titles(_ text: String) throws -> [String] {
      try service.history.page(filter(text)).rows.map(\.to.title)
    }

    try service.begin(.text(range))
    try service.begin(.text(circle))
    for place in ["english/meetings/opening/agenda", "english/negotiating", range] {
      try service.perform(.open(.text(place)))
    }
    let begun = try titles("is:begun")
    try service.progress.record(.markedDone, in: .text(range))

    #expect(begun == ["Range", "Circle"])
    #expect(try titles("is:begun") == ["Circle"])
    #expect(try titles("is:begun in:english/negotiating") == [])
    #expect(try titles("is:done") == ["Range"])
    #expect(try fixture.service("bob").history.page(filter("is:begun")).rows.isEmpty)
    #expect(throws: NavigationError.unknownFilterValue(filter: "is", value: "new", known: ["begun", "done"])) {
      _ = try filter("is:new")
    }
  }
}

extension NavigationFixture {
  fileprivate func node(_ path: String, in database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT id FROM place WHERE path = ?", arguments: [path])
  }
}

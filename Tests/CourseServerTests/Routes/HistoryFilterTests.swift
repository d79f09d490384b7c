import ArgumentParser
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import NavigationKit
@testable import waymark
@testable import waymark_server

/// Commands, requests, the query language and the documentation must support the same filters of the history.
struct HistoryFilterTests {
  private static let names = HistoryCriteria.options.map(\.name)

  /// A valid value for each filter, by the name of the filter. The tests fail for a filter that has no value here.
  private static let values = [
    "course": "rust", "under": "rust/intro", "type": "quiz", "kind": "lesson", "operation": "popTo",
    "transition": "goalCard", "session": "12", "cause": "search", "since": "2026-11-20", "until": "2026-11-21",
    "text": "lab", "answers": "wrong", "is": "begun", "query": "after:2026-11-20 kind:quiz lab",
  ]

  private func service() throws -> (folder: TemporaryFolder, service: NavigationService) {
    let folder = try TemporaryFolder()
    let service = try NavigationService(
      databaseAt: folder.file("waymark.sqlite"), learner: "ada", session: .process(named: "filters"), timeZone: .gmt)
    return (folder, service)
  }

  @Test(arguments: names)
  func `option, parameter and query language produce the same filter`(name: String) throws {
    let (folder, service) = try service()
    defer { withExtendedLifetime(folder) {} }
    let value = try #require(Self.values[name])
    let sent = try #require(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics))

    let command = try HistoryListCommand.parse(["--\(name)", value]).options.filter(of: .current, for: service)
    let request = try HistoryFilter(Query("\(name)=\(sent)", Endpoint.history.parameters), of: .current, for: service)
    let query = try HistoryFilter(
      titleTexts: name == HistoryCriteria.query.name ? value : "\(name):\(value)", now: Date(timeIntervalSince1970: 0),
      in: .gmt)

    #expect(command != HistoryFilter())
    #expect(request == command)
    #expect(query == command)
  }

  @Test func `all commands and routes of the history have the same filters`() throws {
    let otherParameters: Set = ["learner", "timeZone", "limit", "after", "by"]

    for help in [
      HistoryListCommand.helpMessage(), HistoryStatsCommand.helpMessage(), HistoryLeavingCommand.helpMessage(),
      HistoryExportCommand.helpMessage(),
    ] {
      let filters = help.components(separatedBy: "FILTERS:\n")[1].components(separatedBy: "\n\n")[0]
      #expect(filters.matches(of: /(?m)^ +--([a-z]+)/).map { String($0.output.1) } == Self.names)
    }
    for endpoint in [Endpoint.history, .statistics] {
      #expect(endpoint.parameters.map(\.name).filter { !otherParameters.contains($0) } == Self.names)
    }
    #expect(Set(HistoryCriteria.wordNames).isSuperset(of: Self.names.filter { $0 != "query" }))
  }

  @Test func `the documentation describes every filter of the query language`() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: package.appending(path: "Documentation/history-words.md"), encoding: .utf8)

    #expect(HistoryCriteria.wordNames.filter { !page.contains("`\($0):") } == [])
  }
}

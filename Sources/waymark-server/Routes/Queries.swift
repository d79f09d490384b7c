import Answers
import Foundation
import HTTPTypes
import LearningModel
import NavigationKit

// Queries: the current location, history, statistics, progress and learners.

extension Endpoint {
  /// Returns the current place, the path to it, and where to continue.
  static let currentLocation = Endpoint(
    .get, "/v1/where",
    [
      Parameter("device", .device, "Only the session of this device (default: the most recent session)."),
      .timeZone,
    ], Shape(answer: "Whereabouts", problems: [404])
  ) { exchange in
    let isOfDevice = exchange.query[.device] != nil
    let service = try exchange.navigation(session: isOfDevice ? exchange.session : .none)
    return try await exchange.value {
      if isOfDevice { try service.requireSession() }
      return try service.currentLocation()
    }
  }

  /// Lists steps, newest first.
  static let history = Endpoint(
    .get, "/v1/history", cost: .heavy, historyFilters + [.limit, .after], .list("HistoryRow", problems: [403, 404])
  ) { exchange in
    let (service, query, scope) = (try exchange.navigation(), exchange.query, try exchange.scope())
    try await exchange.audit(scope)
    return try await exchange.text {
      let after = query.number(.after).flatMap { $0 == 0 ? nil : HistoryCursor(event: Int64($0)) }
      let page = try service.history.page(
        HistoryFilter(query, of: scope, for: service), limit: query.rows.limit, after: after)
      return (try AnswerText.json(page.rows), page.next.map { Int($0.event) })
    }
  }

  /// Returns visits, places, active time and the share of visits after which the learner went back.
  static let statistics = Endpoint(
    .get, "/v1/statistics", cost: .heavy,
    [
      Parameter(
        "by", .word(StatisticsGroup.allCases.map(\.rawValue)),
        "How to group the steps; learner includes every learner.",
        isRequired: true)
    ] + historyFilters + [.limit, .after], .list("Statistics", problems: [403, 404])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    let group = query.word("by", of: StatisticsGroup.self) ?? .day
    let scope = try exchange.scope(everyone: group == .learner)
    try await exchange.audit(scope)
    return try await exchange.list {
      try service.history.statistics(by: group, HistoryFilter(query, of: scope, for: service), in: service.timeZone)
    }
  }

  /// Lists the progress of a place and its children, or of all courses.
  static let progress = Endpoint(
    .get, "/v1/progress", cost: .heavy,
    [
      Parameter("place", .text, "The path of the place (default: all courses)."), .learner,
      Parameter("by", .word(["learner"]), "Returns one row for every learner."), .limit, .after,
    ], .list("Progress", problems: [403, 404, 410])
  ) { exchange in
    let (service, query) = (try exchange.navigation(), exchange.query)
    let scope = try exchange.scope(everyone: query["by"] != nil)
    try await exchange.audit(scope)
    return try await exchange.list { try service.progress.rows(of: query.place("place"), by: scope) }
  }

  /// Lists all learners by name.
  static let learners = Endpoint(
    .get, "/v1/learners", for: .teacher, [.limit, .after], .list("Learner", problems: [403])
  ) { exchange in
    let service = try exchange.navigation()
    try await exchange.audit(.everyone)
    return try await exchange.list { try service.learners.all().map { LearnerRow(name: $0.name) } }
  }
}

extension HistoryFilter {
  init(_ query: Query, of scope: LearnerScope, for service: NavigationService) throws {
    try self.init(of: scope, now: Date(), in: service.timeZone) { query[$0] }
  }
}

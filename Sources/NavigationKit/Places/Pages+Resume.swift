import Foundation
import LearningModel
import LearningStore

extension Pages {
  /// Returns the place at which the learner should resume, with the reason.
  func resume(timeZone: TimeZone) throws -> ResumePoint {
    guard let learner, let newest = try snapshot.newestNavigationEvent(of: learner.id, at: now) else {
      let first = try nextStep(from: []).flatMap { $0.reason == .allDone ? nil : $0 }
      return ResumePoint(
        last: nil, step: first, next: nil,
        reason: first.map { "There is no history yet; the first activity is “\($0.summary.place.title)”." }
          ?? "There is no history and no course yet.")
    }

    let (chain, removed) = try snapshot.survivingChain(to: newest.event.to)
    let place = NamedPlace(chain)
    let leftAt = newest.event.leftAt ?? newest.event.at
    let day = RelativeDateFormat(timeZone: timeZone, now: now).on(leftAt)
    let lastVisit =
      removed.map { "You left “\($0.title)” \(day); it is no longer in the course" }
      ?? "You \(newest.event.leftAt == nil ? "opened" : "left") “\(place.title)” \(day)"
    let next = try chain.last.flatMap { try snapshot.neighbour($0, after: true) }.map { try named($0, along: chain) }
    if let node = chain.last, node.kind == .activity, try snapshot.firstToDo(in: node, for: learner.id) != nil {
      let step = try nextStep(.goOn, to: node, along: chain, leftAt: newest.event.leftAt)
      return ResumePoint(last: place, step: step, next: next, reason: "\(lastVisit); it is not done yet.")
    }

    let step = try continuation(from: chain).flatMap { $0.reason == .allDone || $0.summary.state == .done ? nil : $0 }
    var clauses = [lastVisit]
    if let course = chain.first, place.path.slugs.first != step?.summary.place.path.slugs.first {
      clauses.append("everything in “\(course.title)” is done")
    }
    if let step { clauses.append(try reason(for: step, after: chain, learner)) }
    return ResumePoint(
      last: place, step: step, next: next, reason: clauses.joined(separator: "; ") + ".")
  }

  /// Returns the reason why a step is the one to continue with, as a clause of a sentence.
  private func reason(for step: NextStep, after chain: [ContentNode], _ learner: Learner) throws -> String {
    let title = step.summary.place.title
    guard step.reason == .goOn else { return "the first unfinished activity is “\(title)”" }
    let first =
      try chain.last.flatMap { try snapshot.firstToDo(from: $0, for: learner.id) }
      ?? chain.first.flatMap { try snapshot.firstToDo(in: $0, for: learner.id) }
    return first.map { .node($0.id) == step.summary.place.place } == true
      ? "the first unfinished activity is “\(title)”" : "you have begun “\(title)”, which is not done yet"
  }
}

extension Calendar {
  /// The Gregorian calendar in a time zone. Weeks begin on Monday, as in the history.
  static func gregorian(in timeZone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = timeZone
    return calendar
  }
}

import Answers
import CourseKit
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

// Changes by learners. Each change is on disk before its response is sent.

extension Endpoint {
  /// Performs an operation, and returns the new place and the transition.
  static let navigationSteps = Endpoint(
    .post, "/v1/steps", [.device, .timeZone],
    Shape(body: "StepRequest", answer: "Step", isRepeatable: true, problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(knowing: ["operation", "place", "dryRun"])
    let request = try NavigationRequest(object)
    let service = try exchange.navigation(session: exchange.session)
    if try object.bool("dryRun") == true {
      // An invalid key is reported even for a dry run.
      _ = try exchange.repeatable(object.text)
      let answer = try await exchange.read { try AnswerText.json(service.predict(request)) }
      return .uncached(answer)
    }
    return try await exchange.perform(object.text) { try AnswerText.json(service.perform(request, cause: .api)) }
  }

  /// Records an activity event, and returns the progress of the activity.
  static let activityEvents = Endpoint(
    .post, "/v1/acts", [.device, .timeZone],
    Shape(body: "ActRequest", answer: "Progress", isList: true, isRepeatable: true, problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(knowing: ["act", "place", "answers", "card", "known"])
    let place = try object.required("place")
    let library = exchange.backend.library
    let request = try ActivityEventRequest(object)
    // The content is read before the write starts, because reading takes longer than writing and would delay other
    // writes.
    let event = try await exchange.read { try request.event(in: { try library.content(at: PlacePath(place)) }) }
    let service = try exchange.navigation(session: exchange.session)
    return try await exchange.perform(object.text) {
      let card = try service.progress.record(event, in: .text(place))
      let passed = card.exercise.map { LearningProgress(done: $0 == .passed ? 1 : 0, total: 1) }
      return try AnswerText.json([
        ProgressRow(place: card.place, learner: service.learner, progress: card.progress, exercises: passed)
      ])
    }
  }

  /// Lists bookmarks, newest first.
  static let bookmarks = Endpoint(.get, "/v1/bookmarks", [.limit, .after], .list("Bookmark")) { exchange in
    let service = try exchange.navigation()
    return try await exchange.list { try service.notes.bookmarks().map(BookmarkRow.init) }
  }

  /// Adds a bookmark.
  static let bookmark = Endpoint(.put, "/v1/bookmarks/{path}", [], Shape(problems: [404, 409, 410])) { exchange in
    try await exchange.setBookmark(true)
  }

  /// Removes a bookmark, even if its place is no longer in the course.
  static let removeBookmark = Endpoint(.delete, "/v1/bookmarks/{path}", [], Shape(problems: [404, 409])) { exchange in
    try await exchange.setBookmark(false)
  }

  /// Returns the reading position in a text.
  static let position = Endpoint(
    .get, "/v1/positions/{path}", [], Shape(answer: "Position", problems: [404, 409, 410])
  ) { exchange in
    let (service, path) = (try exchange.navigation(), exchange.placeholderValue)
    return try await exchange.value {
      guard let position = try service.progress.readingPosition(at: .text(path)) else {
        throw Problem(
          status: .notFound, name: "not-found",
          detail: "Could not find a reading position in \(quoted: path): the text was not begun. Save a position first."
        )
      }
      return position
    }
  }

  /// Saves the reading position in a text.
  static let savePosition = Endpoint(
    .put, "/v1/positions/{path}", [], Shape(body: "PositionRequest", problems: [404, 409, 410])
  ) { exchange in
    let object = try exchange.object(knowing: ["block", "blockOffset", "fraction", "heading"])
    guard let fraction = try object.number("fraction", in: 0...1) else {
      throw Problem.unreadable("Could not read the request: 'fraction' is missing. Send a number from 0 to 1.")
    }
    let position = ReadingPosition(
      block: try object.count("block") ?? 0, blockOffset: try object.number("blockOffset", in: 0...1) ?? 0,
      fraction: fraction, heading: try object.text("heading"), savedAt: Timestamp(date: Date()))
    return try await exchange.setPosition(position)
  }

  /// Removes the reading position in a text.
  static let removePosition = Endpoint(.delete, "/v1/positions/{path}", [], Shape(problems: [404, 409, 410])) {
    exchange in
    try await exchange.setPosition(nil)
  }
}

extension RequestExchange {
  fileprivate func setBookmark(_ isSet: Bool) async throws -> Response {
    guard !PlacePath(placeholderValue).isRoot else {
      throw Problem(
        status: .conflict, name: "refused",
        detail: "Could not add a bookmark for '/': the list of courses cannot have one. Name a place in a course."
      )
    }
    let (service, path) = (try navigation(), placeholderValue)
    try await write { _ = try service.notes.setBookmark(isSet, at: .text(path)) }
    return Response(status: .noContent)
  }

  fileprivate func setPosition(_ position: ReadingPosition?) async throws -> Response {
    let (service, path) = (try navigation(), placeholderValue)
    try await write { try service.progress.setReadingPosition(position, in: .text(path)) }
    return Response(status: .noContent)
  }
}

extension NavigationRequest {
  /// Creates the operation from a request body.
  fileprivate init(_ object: JSONObject) throws(Problem) {
    let name = try object.required("operation")
    let place = try object.text("place").map(PlaceName.text)
    do throws(NavigationRequest.Refusal) {
      try self.init(operation: name, place: place)
    } catch .placeMissing {
      throw .unreadable(
        "Could not perform \(quoted: name): the place is missing. "
          + #"Send {"operation": "\#(name)", "place": "…"}."#)
    } catch {
      throw .unreadable(
        "Could not perform \(quoted: name): there is no such operation. "
          + "Use push, pop, popTo, popToRoot, select, next, previous, open, back, forward or resume.")
    }
  }
}

/// An activity event as a client has sent it, not yet checked against the activity.
enum ActivityEventRequest: Sendable {
  case plain(ActivityEventContent)
  case quiz(answers: [[Int]])
  case card(Int, isKnown: Bool)

  /// The kinds that a client may send. Notes can be changed only by synchronisation.
  static let allowedKinds: [ActivityEventKind] = [.seenToEnd, .markedDone, .markedNotDone, .quizChecked, .cardGraded]

  init(_ object: JSONObject) throws(Problem) {
    let name = try object.required("act")
    switch ActivityEventKind(rawValue: name) {
    case .seenToEnd: self = .plain(.seenToEnd)
    case .markedDone: self = .plain(.markedDone)
    case .markedNotDone: self = .plain(.markedNotDone)
    case .quizChecked:
      guard let answers = try object.lists("answers") else {
        throw .unreadable(
          "Could not read the request: 'answers' is missing. Send the numbers of the chosen answers for each question.")
      }
      self = .quiz(answers: answers)
    case .cardGraded:
      guard let card = try object.count("card"), let isKnown = try object.bool("known") else {
        throw .unreadable(
          "Could not read the request: 'card' or 'known' is missing. "
            + "Send the number of the card from 0, and true or false."
        )
      }
      self = .card(card, isKnown: isKnown)
    default:
      throw .unreadable(
        "Could not read the request: there is no activity event \(quoted: name). "
          + "Use \(Self.allowedKinds.map(\.rawValue).joined(separator: ", ")).")
    }
  }

  /// Returns the activity event to record. The answers of a quiz are graded by the server, not by the client.
  ///
  /// - Parameter content: Reads the content of the activity.
  func event(in content: () throws -> ActivityContent) throws -> ActivityEventContent {
    switch self {
    case .plain(let event): return event
    case .quiz(let answers):
      guard case .quiz(_, let questions, let pass) = try content() else {
        throw Problem.notPossible("Could not record the answers: the activity is not a quiz. Name a quiz.")
      }
      guard answers.count == questions.count,
        zip(answers, questions).allSatisfy({ selected, question in
          selected.allSatisfy(question.choices.indices.contains)
        })
      else {
        throw Problem.notPossible(
          "Could not record the answers: they do not match the \(questions.count) questions of the quiz. "
            + "Read the page again, and send one list of choice numbers from 0 for each question.")
      }
      // A question without choices has a free-text answer, which only the learner can grade.
      let graded = zip(answers, questions).filter { !$0.1.choices.isEmpty }
      let right = graded.count { selected, question in
        Set(selected) == Set(question.choices.indices.filter { question.choices[$0].isRight })
      }
      return .quizChecked(
        answers: answers.map { Set($0).sorted() },
        score: graded.isEmpty ? 1 : Double(right) / Double(graded.count), pass: pass, of: graded.count)
    case .card(let card, let isKnown):
      guard case .flashcards(_, let cards) = try content() else {
        throw Problem.notPossible(
          "Could not record the card: the activity has no cards. Name an activity with flashcards.")
      }
      guard cards.indices.contains(card) else {
        throw Problem.notPossible(
          "Could not record card \(card): the activity has \(cards.count) cards. Number them from 0.")
      }
      return .cardGraded(card: card, of: cards.count, isKnown: isKnown)
    }
  }
}

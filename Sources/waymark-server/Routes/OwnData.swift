import Answers
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit
import TextCanvas

// Export and erasure of learners' data.

extension Endpoint {
  /// Exports all data of the learner as a file for 'waymark learners import'.
  static let me = Endpoint(.get, "/v1/me", cost: .export, [], Shape(answer: "LearnerFile", problems: [404])) {
    exchange in
    let (service, learner) = (try exchange.navigation(), exchange.learner)
    return try await exchange.export { write in
      try withThrowingCallback({ try write($0.harmlessJSON) }) { try service.learners.export(learner, to: $0) }
    }
  }

  /// Erases all data of the learner, including tokens. This cannot be undone.
  static let eraseMe = Endpoint(
    .delete, "/v1/me", cost: .heavy, [], Shape(answer: "Erasure", isConfirmed: true, problems: [404, 409])
  ) { exchange in
    try await exchange.erase(exchange.learner, by: exchange.confirmedActor())
  }

  /// The erasure route of a hub on PostgreSQL. The erasure runs as one SQL function.
  static let eraseFromHub = Endpoint(
    .delete, "/v1/me", cost: .heavy, [], Shape(answer: "Erasure", isConfirmed: true, problems: [404])
  ) { exchange in
    let (hub, learner, actor) = (exchange.backend.hub, exchange.learner, try exchange.confirmedActor())
    let answer = try await exchange.read {
      try AnswerText.json(hub.eraseLearner(learner, by: actor, at: Timestamp(date: Date())))
    }
    return .uncached(answer)
  }

  /// Erases all data of a learner, including tokens. This cannot be undone.
  static let eraseLearner = Endpoint(
    .delete, "/v1/learners/{name}", for: .admin, cost: .heavy, [], Shape(answer: "Erasure", problems: [403, 404, 409])
  ) { exchange in
    try await exchange.erase(exchange.placeholderValue, by: exchange.actor())
  }
}

extension RequestExchange {
  /// Returns the origin of the request for the audit.
  fileprivate func actor() throws -> AuditActor {
    guard let token else { throw Problem.unauthorized }
    return AuditActor(token, request: "\(request.method.rawValue) \(route)")
  }

  /// Returns the origin of a request that must have the `Waymark-Confirm` header field.
  ///
  /// - Throws: ``Problem``.
  fileprivate func confirmedActor() throws -> AuditActor {
    guard request.headers[.confirm] == Self.confirmation else {
      // Source: RFC 6585, section 3.
      throw Problem(
        status: .preconditionRequired, name: "unconfirmed",
        detail: "Could not erase the learner: the request does not confirm the erasure. "
          + "Send it with 'Waymark-Confirm: \(Self.confirmation)'.")
    }
    return try actor()
  }

  /// The required value of `Waymark-Confirm`.
  static let confirmation = "erase"

  /// Erases a learner. The rows are overwritten and removed from the write-ahead log. The rest of the file is cleaned
  /// at the hour given by `--sweep-hour`.
  fileprivate func erase(_ learner: String, by actor: AuditActor) async throws -> Response {
    let (navigation, token) = (backend.navigation, token)
    let answer = try await backend.commits.writeExclusively {
      // The transaction of the erasure checks the token again. This check comes before the search for the learner.
      if let token { try navigation.access.check(token) }
      var erasure = try navigation.learners.erase(learner, sweeping: false, by: actor)
      // The response must not reveal the folders of the server's machine.
      erasure.copies = erasure.copies.map(Self.name)
      erasure.untouchedCopies = erasure.untouchedCopies.map {
        Erasure.UntouchedCopy(path: Self.name($0.path), reason: APIErrorMessage.failure)
      }
      return try AnswerText.json(erasure)
    }
    return .uncached(answer)
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }
}

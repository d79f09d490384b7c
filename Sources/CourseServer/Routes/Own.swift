import Answers
import CourseHub
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationService

// A learner's own data: all of it, and none of it any more.

extension Endpoint {
  static let me = Endpoint(
    .get, "/v1/me", "Everything that is known of the learner, as a file that can be imported elsewhere.", [],
    Shape(answer: "LearnerFile", problems: [404])
  ) { exchange in
    let (service, learner) = (try exchange.navigation(), exchange.learner)
    return try await exchange.text {
      var text = ""
      try service.exportLearner(learner) { text += $0.harmlessJSON }
      return (text, nil)
    }
  }

  static let eraseMe = Endpoint(
    .delete, "/v1/me", "Erases everything of the learner, and their tokens. It cannot be taken back.", [],
    Shape(answer: "Erasure", problems: [404, 409])
  ) { exchange in
    try await exchange.erase(exchange.learner)
  }

  /// The same on a hub, which has nothing of them but what they brought.
  static let eraseFromHub = Endpoint(
    .delete, "/v1/me", "Erases everything of the learner, and their tokens. It cannot be taken back.", [],
    Shape(answer: "Erasure", problems: [404])
  ) { exchange in
    let (hub, learner) = (exchange.backend.hub, exchange.learner)
    return Exchange.done(try await exchange.backend.read { try AnswerText.json(hub.eraseLearner(learner)) })
  }

  static let eraseLearner = Endpoint(
    .delete, "/v1/learners/{name}", for: .admin,
    "Erases everything of a learner, and their tokens. It cannot be taken back.",
    [], Shape(answer: "Erasure", problems: [403, 404, 409])
  ) { exchange in
    try await exchange.erase(exchange.rest)
  }
}

extension Exchange {
  /// Erases a learner. Rows are overwritten at once; the file is swept at its hour, and the answer says so.
  fileprivate func erase(_ learner: String) async throws -> Response {
    let house = backend.house
    let answer = try await backend.commits.alone {
      var erasure = try house.eraseLearner(learner, sweeping: false)
      // Where files are on the machine is not told.
      erasure.copies = erasure.copies.map(Self.name)
      erasure.untouchedCopies = erasure.untouchedCopies.map {
        Erasure.UntouchedCopy(path: Self.name($0.path), reason: ErrorWords.failure)
      }
      return try AnswerText.json(erasure)
    }
    return Self.done(answer)
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }
}

import Answers
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

extension Endpoint {
  /// Merging a message of at least this size, in bytes, may take long.
  private static let longMessage = 65_536

  /// The route that `waymark sync` uses: another database of the learner sends its new data and requests the data that
  /// it lacks.
  static let sync = Endpoint(
    .post, "/v1/sync", cost: .heavy,
    [],
    Shape(
      body: "SyncMessage", maximumBodyBytes: ServerSettings.maximumMessageBytes,
      answer: "SyncAnswer", problems: [404, 409, 410, 422])
  ) { exchange in
    let (backend, learner, bytes) = (exchange.backend, exchange.learner, exchange.body)
    let token = exchange.token
    try JSONObject.check(bytes)
    let message: SyncMessage
    do {
      message = try SyncCoding.value(SyncMessage.self, from: Data(bytes))
    } catch is DecodingError {
      throw Problem.unreadable(
        "Could not read the message: it is not a message of version \(SyncMessage.version). Update the older program.")
    }
    let hub = backend.hub
    let answer: @Sendable () throws -> String = {
      switch try hub.answer(message, about: learner, by: token, at: Timestamp(date: Date())) {
      case .fork(let session): throw Problem.fork(session)
      case .erased: throw Problem.erased
      case let answer: return String(decoding: try SyncCoding.data(answer), as: UTF8.self)
      }
    }
    let text =
      try await message.mayWrite && backend.hasDatabase
      ? exchange.write(isLong: bytes.count > longMessage, answer)
      : exchange.read(answer)
    if case .compare = message, message.mayWrite, backend.hasDatabase { try await backend.clearLogOfErasures() }
    return .uncached(text)
  }
}

extension Problem {
  /// A session was continued in two databases.
  fileprivate static func fork(_ session: String) -> Problem {
    Problem(
      status: .conflict, name: "fork", detail: APIErrorMessage.text(SyncError.fork(session)), session: session)
  }

  /// The learner was erased and must not be restored.
  fileprivate static let erased = Problem(
    status: .gone, name: "erased",
    detail: "Could not synchronise: the learner was erased on this server. Erase the learner in the other database too."
  )
}

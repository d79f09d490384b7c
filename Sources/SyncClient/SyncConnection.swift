import CCurl
import Foundation
package import NavigationService

/// A connection to a server, over which messages of a synchronisation go.
///
/// It belongs to one thread.
package final class SyncConnection {
  private let host: String
  private let connection: OpaquePointer
  private let isCancelled: @convention(c) () -> Bool

  /// Bytes that went to the server and came from it, with the heads of HTTP.
  package private(set) var bytes: (sent: Int, received: Int) = (0, 0)

  /// Bytes of an answer at most: a part of a record is as long as a message may be, and a comparison of many sessions may
  /// be longer.
  private static let longestAnswer = 16_000_000

  /// Prepares it. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - token: Who asks.
  ///   - authorities: A file of certificates in PEM that are believed; the system's where nil.
  ///   - isCancelled: Whether somebody wants to stop; asked on this thread, again and again.
  /// - Throws: ``SyncClientError/noLibrary(reason:)``.
  package init(
    to address: SyncAddress, token: String, authorities: String? = nil,
    isCancelled: @escaping @convention(c) () -> Bool
  ) throws(SyncClientError) {
    var message = [CChar](repeating: 0, count: Int(CCURL_MESSAGE))
    guard let opened = ccurl_open(address.url + "/v1/sync", token, authorities, &message) else {
      throw .noLibrary(reason: Self.text(message))
    }
    host = address.host
    connection = opened
    self.isCancelled = isCancelled
  }

  deinit { ccurl_close(connection) }

  /// Brings a message to the server, and its answer back.
  ///
  /// - Throws: ``SyncClientError``.
  package func send(_ message: SyncMessage) throws -> SyncAnswer {
    guard !isCancelled() else { throw SyncClientError.interrupted }
    let answer = try post(SyncCoding.data(message))
    let problem = answer.status == 200 ? nil : try? JSONDecoder().decode(Problem.self, from: answer.body)
    switch answer.status {
    case 200:
      do {
        return try SyncCoding.answer(from: answer.body)
      } catch is DecodingError {
        throw SyncClientError.foreign(host: host, status: answer.status)
      }
    case 401: throw SyncClientError.refusedToken(host: host)
    case 503 where problem?.type == "urn:waymark:problem:hub-away":
      throw SyncClientError.unreachable(host: host, reason: "its database does not answer")
    case 429, 503: throw SyncClientError.busy(host: host)
    case 409:
      if let session = problem?.session { return .fork(session) }
    case 410:
      if problem?.type == "urn:waymark:problem:erased" { return .erased }
    default: break
    }
    guard let problem, problem.type.hasPrefix("urn:waymark:problem:") else {
      throw SyncClientError.foreign(host: host, status: answer.status)
    }
    throw SyncClientError.refused(host: host, words: problem.detail)
  }

  /// What of a problem matters here.
  ///
  /// Source: RFC 9457.
  private struct Problem: Decodable {
    let type: String
    let detail: String
    let session: String?
  }

  private func post(_ body: Data) throws(SyncClientError) -> (status: Int, body: Data) {
    var answer = ccurl_answer()
    var message = [CChar](repeating: 0, count: Int(CCURL_MESSAGE))
    let isAnswered = body.withUnsafeBytes {
      ccurl_post(connection, $0.baseAddress, $0.count, Self.longestAnswer, isCancelled, &answer, &message)
    }
    guard isAnswered else {
      if isCancelled() { throw .interrupted }
      throw .unreachable(host: host, reason: Self.text(message))
    }
    bytes.sent += Int(answer.sent)
    bytes.received += Int(answer.received)
    defer { free(answer.body) }
    return (Int(answer.status), answer.body.map { Data(bytes: $0, count: answer.length) } ?? Data())
  }

  private static func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

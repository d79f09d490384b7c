import CCurl
import Foundation
import LearningModel
import NavigationKit

/// A connection to a server, over which messages of a synchronisation go.
///
/// It belongs to one thread.
final class SyncConnection {
  private let host: String
  private let connection: OpaquePointer
  private let isCancelled: @convention(c) () -> Bool

  /// Bytes that went to the server and came from it, with the heads of HTTP.
  private(set) var bytes: (sent: Int, received: Int) = (0, 0)

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
  init(
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
  func send(_ message: SyncMessage) throws -> SyncAnswer {
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

/// Where a server is that a database synchronises with.
struct SyncAddress: Hashable, Sendable {
  /// The address, without what stands behind its host, its port and its path.
  let url: String
  /// The host and the port, as they are written.
  let host: String

  /// Reads it.
  ///
  /// - Parameter text: Such as `https://school.example`. Without TLS it has to be on this machine, as the token would be
  ///   read on the way.
  /// - Throws: ``SyncClientError/unusableAddress(text:reason:)``.
  init(_ text: String) throws(SyncClientError) {
    guard let parts = URLComponents(string: text), let name = parts.host, !name.isEmpty else {
      throw .unusableAddress(text: text, reason: "it is no address of a server")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw .unusableAddress(text: text, reason: "it says more than where the server is")
    }
    switch parts.scheme?.lowercased() {
    case "https": break
    case "http":
      guard Self.isOfThisMachine(name) else {
        throw .unusableAddress(text: text, reason: "without TLS others on the network could read the token")
      }
    default: throw .unusableAddress(text: text, reason: "it begins with neither https:// nor http://")
    }
    url = String(text.reversed().drop { $0 == "/" }.reversed())
    host = parts.port.map { "\(name):\($0)" } ?? name
  }

  /// Source: RFC 1122, section 3.2.1.3, RFC 4291, section 2.5.3, and RFC 6761, section 6.3.
  private static func isOfThisMachine(_ host: String) -> Bool {
    let name = host.lowercased()
    return name == "localhost" || name == "::1" || name == "[::1]"
      || name.wholeMatch(of: /127\.\d{1,3}\.\d{1,3}\.\d{1,3}/) != nil
  }
}

/// Why a server could not be asked.
enum SyncClientError: ExplainedError, Hashable {
  /// The address is none, or not one that a token may be sent to.
  case unusableAddress(text: String, reason: String)
  /// libcurl cannot be loaded.
  case noLibrary(reason: String)
  /// The server does not answer.
  case unreachable(host: String, reason: String)
  /// Somebody has asked to stop.
  case interrupted
  /// The token is worth nothing there.
  case refusedToken(host: String)
  /// The server has too much to do.
  case busy(host: String)
  /// The server says why it does not.
  case refused(host: String, words: String)
  /// What answers is no server of Waymark's.
  case foreign(host: String, status: Int)
  /// There is no token for that server.
  case noToken(host: String, file: String)
  /// Others can read the token.
  case exposedToken(file: String)
  /// The file of the token cannot be read or written.
  case tokenFile(file: String, reason: String)
  /// What was given is no token.
  case unusableToken

  /// Of which kind it is.
  var kind: FailureKind {
    switch self {
    case .unusableAddress, .refused, .unusableToken: .refused
    case .noLibrary, .unreachable: .unavailable
    case .interrupted, .busy: .tryAgain
    case .refusedToken, .exposedToken: .noPermission
    case .foreign: .badData
    case .noToken: .notFound
    case .tokenFile: .cannotCreate
    }
  }

  /// What was found and what to do next.
  var description: String {
    switch self {
    case .unusableAddress(let text, let reason):
      "Could not synchronise with '\(text)': \(reason). Write it as https://school.example, or http://127.0.0.1:8080."
    case .noLibrary(let reason):
      "Could not synchronise: libcurl cannot be loaded (\(reason)). Install it: on Debian the package is libcurl4."
    case .unreachable(let host, let reason):
      "Could not synchronise with '\(host)': \(reason). What you did is saved here, and not there yet; "
        + "synchronise again when the server can be reached."
    case .interrupted:
      "Could not finish synchronising: it was stopped. What was exchanged stays; the same command goes on from there."
    case .refusedToken(let host):
      "Could not synchronise with '\(host)': the token is wrong, has expired or was taken back. "
        + "Ask those who look after the server for another one, and give it with --token."
    case .busy(let host):
      "Could not finish synchronising with '\(host)': the server has too much to do. "
        + "What was exchanged stays; run the same command again in a minute."
    case .refused(let host, let words):
      "Could not synchronise with '\(host)'. The server says: \(words)"
    case .foreign(let host, let status):
      "Could not synchronise with '\(host)': it answered \(status), as no server of Waymark's does. Look at the address."
    case .noToken(let host, let file):
      "Could not synchronise with '\(host)': there is no token for it at '\(file)'. "
        + "Give the one that you were given with --token, which reads it from standard input and keeps it there."
    case .exposedToken(let file):
      "Could not use the token at '\(file)': others on this machine may read it. Run: chmod 600 '\(file)'"
    case .tokenFile(let file, let reason):
      "Could not use '\(file)' for the token: \(reason). Make room for it, or look at its folder's permissions."
    case .unusableToken:
      "Could not keep the token: what was given is none. "
        + "Paste the line that 'waymark-server tokens add' has printed; it begins with waymark_."
    }
  }
}

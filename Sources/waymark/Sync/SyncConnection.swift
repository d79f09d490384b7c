import CCurl
import Foundation
import LearningModel
import NavigationKit

/// A connection to a synchronisation server. Use it on one thread only.
final class SyncConnection {
  private let host: String
  private let connection: OpaquePointer
  private let isCancelled: @convention(c) () -> Bool

  /// The number of bytes sent and received, including HTTP headers.
  private(set) var bytes: (sent: Int, received: Int) = (0, 0)

  /// The maximum length of an answer in bytes. A list that compares many sessions can be longer than a message.
  private static let maximumResponseBytes = 16_000_000

  /// Prepares the connection. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - token: The token that authenticates the learner.
  ///   - authorities: A PEM file with trusted certificates, or `nil` for those of the system.
  ///   - isCancelled: Returns whether to cancel the request. Called repeatedly on the thread of the connection.
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

  /// Sends a message and returns the server's answer.
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
      throw SyncClientError.unreachable(host: host, reason: "its database is not available")
    // A proxy answers for a server that it cannot reach.
    case 500... where problem?.type.hasPrefix(Problem.prefix) != true:
      throw SyncClientError.unreachable(
        host: host, reason: "its answer \(answer.status) is not that of a Waymark server")
    case 429, 503: throw SyncClientError.busy(host: host)
    case 409:
      if let session = problem?.session { return .fork(session) }
    case 410:
      if problem?.type == "urn:waymark:problem:erased" { return .erased }
    default: break
    }
    guard let problem, problem.type.hasPrefix(Problem.prefix) else {
      throw SyncClientError.foreign(host: host, status: answer.status)
    }
    throw SyncClientError.refused(host: host, message: problem.detail)
  }

  /// The members of a problem document that the client uses.
  ///
  /// Source: RFC 9457.
  private struct Problem: Decodable {
    /// The beginning of the types of a Waymark server's problems.
    static let prefix = "urn:waymark:problem:"

    let type: String
    let detail: String
    let session: String?
  }

  private func post(_ body: Data) throws(SyncClientError) -> (status: Int, body: Data) {
    var answer = ccurl_answer()
    var message = [CChar](repeating: 0, count: Int(CCURL_MESSAGE))
    let isAnswered = body.withUnsafeBytes {
      ccurl_post(connection, $0.baseAddress, $0.count, Self.maximumResponseBytes, isCancelled, &answer, &message)
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

/// The address of a synchronisation server.
struct SyncAddress: Hashable, Sendable {
  /// The URL without trailing slashes.
  let url: String
  /// The host, and the port if the URL contains one.
  let host: String

  /// Parses an address.
  ///
  /// - Parameter text: An address such as `https://school.example`. Without TLS, the server must be on this machine,
  ///   because the token could be intercepted on the network.
  /// - Throws: ``SyncClientError/unusableAddress(text:reason:)``.
  init(_ text: String) throws(SyncClientError) {
    guard let components = URLComponents(string: text), let name = components.host, !name.isEmpty else {
      throw .unusableAddress(text: text, reason: "it is not the URL of a server")
    }
    guard components.user == nil, components.password == nil, components.query == nil, components.fragment == nil else {
      throw .unusableAddress(text: text, reason: "it contains more than the address of a server")
    }
    switch components.scheme?.lowercased() {
    case "https": break
    case "http":
      guard Self.isOfThisMachine(name) else {
        throw .unusableAddress(text: text, reason: "without TLS, others on the network could read the token")
      }
    default: throw .unusableAddress(text: text, reason: "it does not begin with https:// or http://")
    }
    url = String(text.reversed().drop { $0 == "/" }.reversed())
    host = components.port.map { "\(name):\($0)" } ?? name
  }

  /// Source: RFC 1122, section 3.2.1.3, RFC 4291, section 2.5.3, and RFC 6761, section 6.3.
  private static func isOfThisMachine(_ host: String) -> Bool {
    let name = host.lowercased()
    return name == "localhost" || name == "::1" || name == "[::1]"
      || name.wholeMatch(of: /127\.\d{1,3}\.\d{1,3}\.\d{1,3}/) != nil
  }
}

/// An error of the synchronisation client.
enum SyncClientError: ExplainedError, Hashable {
  /// The text is not an address, or the address is not secure enough for a token.
  case unusableAddress(text: String, reason: String)
  /// libcurl cannot be loaded.
  case noLibrary(reason: String)
  /// The server does not answer.
  case unreachable(host: String, reason: String)
  /// The exchange was cancelled.
  case interrupted
  /// The server does not accept the token.
  case refusedToken(host: String)
  /// The server is overloaded.
  case busy(host: String)
  /// The server refused the request with this message.
  case refused(host: String, message: String)
  /// The response was not sent by a Waymark server.
  case foreign(host: String, status: Int)
  /// There is no token for the server.
  case noToken(host: String, file: String)
  /// Other users can read the token.
  case exposedToken(file: String)
  /// The file of the token cannot be read or written.
  case tokenFile(file: String, reason: String)
  /// The text is not a token.
  case unusableToken

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

  /// The message: the error and how to fix it.
  var description: String {
    switch self {
    case .unusableAddress(let text, let reason):
      "Could not synchronise with \(quoted: text): \(reason). Use a URL such as https://school.example or "
        + "http://127.0.0.1:8080."
    case .noLibrary(let reason):
      "Could not synchronise: libcurl cannot be loaded (\(reason)). Install it, on Debian with the package libcurl4."
    case .unreachable(let host, let reason):
      "Could not synchronise with \(quoted: host): \(reason). Your changes are saved in this database. "
        + "Synchronise again when the server is reachable."
    case .interrupted:
      "Could not finish synchronising: it was interrupted. Run the command again to continue."
    case .refusedToken(let host):
      "Could not synchronise with \(quoted: host): the token is invalid, expired or revoked. "
        + "Ask the administrator of the server for a new token, and pass it with --token."
    case .busy(let host):
      "Could not finish synchronising with \(quoted: host): the server is overloaded. "
        + "Run the command again in a minute to continue."
    case .refused(let host, let message):
      "Could not synchronise with \(quoted: host). The server answered: \(message)"
    case .foreign(let host, let status):
      "Could not synchronise with \(quoted: host): its answer \(status) is not that of a Waymark server. Check the URL."
    case .noToken(let host, let file):
      "Could not synchronise with \(quoted: host): there is no token for it at \(quoted: file). "
        + "Use --token to read a token from standard input and store it there."
    case .exposedToken(let file):
      "Could not use the token at \(quoted: file): other users of this machine can read it. Run: \(shell: "chmod", "600", file)"
    case .tokenFile(let file, let reason):
      "Could not use \(quoted: file) for the token: \(reason). Check the disk space and the permissions of its folder."
    case .unusableToken:
      "Could not store the token: the text is not a token. "
        + "Paste the line that 'waymark-server tokens add' printed; it begins with waymark_."
    }
  }
}

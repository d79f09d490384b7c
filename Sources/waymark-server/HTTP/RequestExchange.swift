import Answers
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import Logging
import NIOCore
import NavigationKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A request that is being answered, after its token was checked.
struct RequestExchange: Sendable {
  let backend: Backend
  let request: Request
  let endpoint: Endpoint
  let query: Query
  /// The decoded text in place of the route's placeholder. Empty if the route has no placeholder.
  let placeholderValue: String
  /// The request's token, or `nil` if the route does not require one.
  let token: AccessToken?
  /// The bytes of the body.
  let body: [UInt8]
  let context: ServerContext
  /// The threads on which to read the database for this request.
  let threads: ReaderThreads
  /// The learner's export turn, held until the answer has been sent. `nil` unless the request is an export.
  let exportPermit: LearnerQueue.Turn?

  /// The route as its endpoint defines it, for the audit, for example `/v1/courses/{path}`.
  var route: String { endpoint.route }

  /// The name of the learner to whom the token belongs; empty without a token.
  var learner: String { token?.learner ?? "" }

  /// The session in which the request navigates. Each combination of token and device has its own session.
  var session: SessionChoice {
    .named("\(query[.device] ?? "web")@\(token?.id ?? 0)")
  }

  /// Returns the navigation facade for the learner of the token.
  ///
  /// - Parameter session: The session to navigate in, or none for a query.
  func navigation(session: SessionChoice = .none) throws -> NavigationService {
    try backend.navigation(for: learner, session: session, zone: query.zone())
  }

  /// Reads the database on one of ``threads``.
  ///
  /// The token of an expensive request may have become invalid while the request waited for its turn and for a thread.
  /// It is checked again on the thread, so that no further wait follows the check.
  func read<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withTaskExecutorPreference(threads) {
      if token != nil, threads !== backend.readers, try backend.validToken(in: request.headers) == nil {
        throw Problem.unauthorized
      }
      return try body()
    }
  }

  /// Watches the connection: calls `action` when the client closes it or its sending side. Further input is discarded.
  func whenClientCloses(_ action: @escaping @Sendable () -> Void) {
    context.channel.closeFuture.whenComplete { _ in action() }
    context.channel.triggerUserOutboundEvent(InputIsDiscarded(), promise: nil)
  }

  // MARK: - Data of other learners

  /// Returns the learners whose data the request reads, if the token allows it.
  ///
  /// - Parameter isEveryone: Whether a request without a `learner` parameter is about all learners.
  /// - Throws: ``Problem/forbidden``.
  func scope(everyone isEveryone: Bool = false) throws -> LearnerScope {
    let scope: LearnerScope =
      switch query[.learner] {
      case nil: isEveryone ? .everyone : .current
      case "all"?: .everyone
      case let name?: .named(name)
      }
    let isOthers = scope != .current && scope != .named(learner)
    guard !isOthers || token?.scope.mayReadOthers == true else { throw Problem.forbidden }
    return scope
  }

  /// Records in the audit that the data of other learners is read. Must be called before reading. Returns when the
  /// record is on disk.
  ///
  /// - Throws: `NavigationError.busy` if another program keeps the database locked for too long, and ``AuditFailure``
  ///   if the record cannot be written for another reason. If an error is thrown, the data must not be read.
  func audit(_ scope: LearnerScope) async throws {
    guard let token, scope != .current, scope != .named(learner) else { return }
    let name: String? = if case .named(let name) = scope { name } else { nil }
    let (navigation, request) = (backend.navigation, "GET \(route)")
    do {
      try await write { try navigation.access.recordAudit(by: token, of: name, request: request) }
    } catch let error as NavigationError where [.busy, .invalidToken].contains(error) {
      throw error
    } catch {
      throw AuditFailure(cause: error)
    }
  }

  // MARK: - Answers

  /// Responds with a text, or with status 304 if the client already has it.
  ///
  /// - Parameters:
  ///   - type: The media type.
  ///   - body: Reads the database and returns the text and, for a list with further pages, the offset of the next page.
  func text(
    _ type: String = "application/json", _ body: @escaping @Sendable () throws -> (text: String, next: Int?)
  ) async throws -> Response {
    let (answer, tag) = try await read {
      let answer = try body()
      return (answer, "\"\(Digest.text(answer.text.utf8).prefix(32))\"")
    }
    var headers: HTTPFields = [.cacheControl: "private, no-cache", .contentType: type]
    if let next = answer.next {
      let path = request.uri.path
      headers[.link] = "<\(path)?\(query.text(after: next))>; rel=\"next\""
    }
    return tagged(tag, headers, ResponseBody(byteBuffer: ByteBuffer(string: answer.text)))
  }

  /// Responds with a JSON text of any length, or with status 304 if the client already has it.
  ///
  /// A long text is first written to a temporary file and then sent from it, so that neither a database connection nor
  /// a thread waits for a slow client.
  ///
  /// - Parameter body: Reads the database and passes on the text in chunks.
  func export(_ body: @escaping @Sendable ((String) throws -> Void) throws -> Void) async throws -> Response {
    let answer = try await read {
      var spool = AnswerSpool()
      try body { try spool.append($0) }
      return try spool.finish()
    }
    let headers: HTTPFields = [.cacheControl: "private, no-cache", .contentType: "application/json"]
    let content =
      switch answer.content {
      case .memory(let bytes): ResponseBody(byteBuffer: bytes)
      case .file(let file): sending(file)
      }
    return tagged("\"\(answer.digest.prefix(32))\"", headers, content)
  }

  /// Returns a body that is sent from a file. The body holds the learner's export turn until it has been sent.
  private func sending(_ file: SpoolFile) -> ResponseBody {
    ResponseBody(contentLength: file.byteCount) { writer in
      var offset = 0
      while offset < file.byteCount {
        let position = offset
        let chunk = try await withTaskExecutorPreference(threads) { try file.bytes(at: position, upTo: 65_536) }
        try await writer.write(chunk)
        offset += chunk.readableBytes
      }
      try await writer.finish(nil)
      withExtendedLifetime(exportPermit) {}
    }
  }

  /// Responds with a body, or with status 304 if the client already has it.
  ///
  /// - Parameter tag: The entity tag in quotation marks. It identifies the content of the body.
  func tagged(_ tag: String, _ headers: HTTPFields, _ body: ResponseBody) -> Response {
    var headers = headers
    headers[.eTag] = tag
    if Self.isKnown(tag, by: request.headers) {
      headers[.contentType] = nil
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  /// Responds with one value as JSON.
  func value(_ body: @escaping @Sendable () throws -> some Encodable & SendableMetatype) async throws -> Response {
    try await text { (try AnswerText.json(body()), nil) }
  }

  /// Responds with the page of rows that the query selects.
  func list<Row: Encodable & SendableMetatype>(_ body: @escaping @Sendable () throws -> [Row]) async throws -> Response
  {
    let rows = query.rows
    return try await text {
      let page = rows.page(of: try body())
      return (try AnswerText.json(page.rows), page.next)
    }
  }

  /// Returns whether the client's `If-None-Match` contains the tag, by the weak comparison.
  ///
  /// Source: RFC 9110, section 13.1.2.
  private static func isKnown(_ tag: String, by headers: HTTPFields) -> Bool {
    guard let tags = headers[.ifNoneMatch] else { return false }
    return tags == "*"
      || tags.split(separator: ",").contains { entry in
        let entry = entry.trimmingPrefix { $0 == " " }
        return (entry.hasPrefix("W/") ? entry.dropFirst(2) : entry).prefix { $0 != " " } == tag
      }
  }

  // MARK: - Requests with a body

  /// Returns the body as a JSON object.
  ///
  /// - Parameter names: The members that the object may have.
  /// - Throws: ``Problem``.
  func object(knowing names: Set<String>) throws(Problem) -> JSONObject { try JSONObject(body, knowing: names) }

  /// Performs a request and responds when its change is on disk. A request with an `Idempotency-Key` is performed only
  /// once.
  ///
  /// - Parameters:
  ///   - content: The content of the request in a canonical form. It distinguishes a repeated request from a different
  ///     request with the same key.
  ///   - body: Performs the request and returns the text of the response.
  func perform(_ content: String, _ body: @escaping @Sendable () throws -> String) async throws -> Response {
    let repeatable = try repeatable(content)
    let navigation = backend.navigation
    return .uncached(
      try await write {
        guard let repeatable else { return try body() }
        return try navigation.access.performOnce(repeatable, body)
      })
  }

  /// Performs a request in several transactions, between which other requests are committed. The answer to a request
  /// with an `Idempotency-Key` is stored in the last transaction. A request that is repeated after an interruption
  /// changes the remaining items.
  ///
  /// - Parameters:
  ///   - items: Reads the items to change.
  ///   - change: Changes some of the items, and returns the number of changed cards.
  func perform<Item: Sendable>(
    _ content: String, each items: @escaping @Sendable () throws -> [Item],
    _ change: @escaping @Sendable ([Item]) throws -> Int
  ) async throws -> Response {
    let (repeatable, navigation) = (try repeatable(content), backend.navigation)
    let items = try await read { try repeatable.flatMap { try navigation.access.answer(to: $0) } == nil ? items() : [] }
    var count = 0
    for start in stride(from: 0, to: items.count - Self.itemsPerWrite, by: Self.itemsPerWrite) {
      try Task.checkCancellation()
      count += try await write(isLong: true) { try change(Array(items[start..<start + Self.itemsPerWrite])) }
    }
    let (before, rest) = (count, items.suffix((items.count - 1) % Self.itemsPerWrite + 1))
    return try await perform(content) { try AnswerText.json(ChangedCardsRow(cards: before + change(Array(rest)))) }
  }

  /// The maximum number of cards or activities that one transaction changes. With 500, SQLite spent almost half of the
  /// time in its list of changed pages, which it reads from the beginning after each statement inside a savepoint.
  /// Source: SQLite, `memjrnlTruncate` in `memjournal.c`.
  private static let itemsPerWrite = 100

  /// Writes for the learner of the token, which is checked in the transaction.
  func write<Answer: Sendable>(
    isLong: Bool = false, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await backend.commits.write(by: token, isLong: isLong, body)
  }

  /// Returns the identity of a request with an `Idempotency-Key`, or `nil` if the request has no key.
  ///
  /// - Throws: ``Problem`` if the key is invalid.
  func repeatable(_ content: String) throws -> RepeatableRequest? {
    guard let key = request.headers[.idempotencyKey], let token else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.unreadable(
        "Could not read the request: an Idempotency-Key has 1 to 255 visible ASCII characters. Send another key.")
    }
    // The device and the time zone are part of the query.
    let text = "\(request.method.rawValue) \(route)?\(query.text(after: 0))\n\(content)"
    return RepeatableRequest(token: token.id, key: key, digest: Digest.text(text.utf8))
  }
}

extension Response {
  /// Returns a response that must not be cached, such as that to a completed change.
  static func uncached(_ text: String, _ type: String = "application/json") -> Response {
    Response(
      status: .ok, headers: [.cacheControl: "no-store", .contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

/// Collects an answer of any length with bounded memory. A long answer continues in a temporary file.
struct AnswerSpool {
  /// The size of the buffer in bytes. A shorter answer needs no file.
  private static let bufferSize = 1_048_576

  private var buffer = ByteBuffer()
  private var file: SpoolFile?
  private var digest = RunningDigest()

  /// Appends a part of the answer.
  ///
  /// - Throws: `POSIXError` if the temporary file cannot be written.
  mutating func append(_ text: String) throws {
    var text = text
    text.withUTF8 { bytes in
      buffer.writeBytes(bytes)
      digest.add(UnsafeRawBufferPointer(bytes))
    }
    if buffer.readableBytes > Self.bufferSize { try flush() }
  }

  /// Returns the whole answer. Nothing may be appended after that.
  mutating func finish() throws -> SpooledAnswer {
    guard let file else { return SpooledAnswer(digest: digest.text, content: .memory(buffer)) }
    try flush()
    return SpooledAnswer(digest: digest.text, content: .file(file))
  }

  private mutating func flush() throws {
    let target = try file ?? SpoolFile()
    file = target
    try target.append(buffer)
    buffer.clear()
  }
}

/// A complete answer, in memory or in a temporary file.
struct SpooledAnswer: Sendable {
  enum Content: Sendable {
    case memory(ByteBuffer)
    case file(SpoolFile)
  }

  /// The SHA-256 digest of the answer, in hexadecimal digits.
  let digest: String
  let content: Content
}

/// A temporary file without a name. The system deletes the file when it is closed, even after a crash.
final class SpoolFile: Sendable {
  private let descriptor: CInt
  private let size = Atomic(0)

  var byteCount: Int { size.load(ordering: .acquiring) }

  init() throws {
    var path = Array((FileManager.default.temporaryDirectory.path + "/waymark-answer-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Appends bytes. Only one thread may append.
  func append(_ buffer: ByteBuffer) throws {
    var offset = byteCount
    try buffer.withUnsafeReadableBytes { bytes in
      var remaining = bytes[...]
      while !remaining.isEmpty {
        let count = pwrite(
          descriptor, UnsafeRawBufferPointer(rebasing: remaining).baseAddress, remaining.count, off_t(offset))
        guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        remaining = remaining.dropFirst(count)
        offset += count
      }
    }
    size.store(offset, ordering: .releasing)
  }

  /// Returns at most `count` bytes from an offset.
  func bytes(at offset: Int, upTo count: Int) throws -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
    }
    guard read > 0 else { throw POSIXError(.EIO) }
    return buffer
  }
}

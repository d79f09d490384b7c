import Foundation
import LearningModel
import LibPQ
import NavigationKit
import Synchronization

/// A blocking connection to PostgreSQL.
///
/// Only one thread at a time may use a connection. ``PostgresPool`` ensures this.
final class PostgresConnection: @unchecked Sendable {
  private let host: String
  private let connection: OpaquePointer
  /// The functions for which a statement is prepared on the server.
  private var prepared: Set<String> = []

  /// Connects. If the address has several hosts, the first one that accepts writes is chosen.
  ///
  /// - Throws: ``HubError/unreachable(host:reason:)``.
  init(_ address: PostgresAddress) throws {
    host = address.host
    let names: [(String, String)] = [
      ("dbname", address.text), ("target_session_attrs", "read-write"), ("connect_timeout", "5"),
      ("application_name", "waymark-server"), ("client_encoding", "UTF8"),
      // With these values, the loss of the server is detected within seconds, even in the middle of an answer.
      ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      // The server must return times in UTC and in ISO format, because messages contain them in this form.
      ("options", "-c TimeZone=UTC -c DateStyle=ISO -c jit=off"),
    ]
    let opened = CStrings.with(names.map(\.0)) { keys in
      CStrings.with(names.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
    }
    guard let opened, PQstatus(opened) == CONNECTION_OK else {
      let reason = opened.map { Self.line(PQerrorMessage($0)) } ?? "out of memory"
      PQfinish(opened)
      throw HubError.unreachable(host: host, reason: reason)
    }
    connection = opened
    // Notices are not printed, because the server writes them to its own log.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Whether the connection is open and not in a transaction.
  var isUsable: Bool { PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE }

  /// Calls a function of the hub in its own transaction.
  ///
  /// - Parameters:
  ///   - function: The name of the function, without its schema.
  ///   - values: The arguments in text format.
  ///   - isSet: Whether the function returns a set of rows, which are returned as a JSON array.
  /// - Returns: The result in text format, or `nil` for null.
  /// - Throws: ``HubError``, and ``SyncError`` for the error codes of the hub's functions.
  func call(_ function: String, _ values: [String?], isSet: Bool) throws -> String? {
    if !prepared.contains(function) {
      let places = (1...max(1, values.count)).prefix(values.count).map { "$\($0)" }.joined(separator: ", ")
      let call = "waymark.\(function)(\(places))"
      _ = try finish(
        PQprepare(
          connection, function, isSet ? "SELECT jsonb_agg(item) FROM \(call) AS item" : "SELECT \(call)", 0, nil))
      prepared.insert(function)
    }
    return try CStrings.with(values) { list in
      try finish(PQexecPrepared(connection, function, Int32(values.count), list, nil, nil, 0))
    }
  }

  /// Runs statements without parameters.
  ///
  /// - Returns: The first value of the last statement's result.
  @discardableResult
  func run(_ statements: String) throws -> String? { try finish(PQexec(connection, statements)) }

  private func finish(_ result: OpaquePointer?) throws -> String? {
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK: return nil
    case PGRES_TUPLES_OK:
      guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0 else { return nil }
      return String(cString: PQgetvalue(result, 0, 0))
    default:
      let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
      let reason =
        PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        ?? Self.line(PQerrorMessage(connection))
      throw error(state, reason)
    }
  }

  /// Converts an error of PostgreSQL according to its SQLSTATE.
  ///
  /// Source: PostgreSQL 15, appendix A, "Error Codes". The codes that start with WM are raised by the hub's own
  /// functions.
  private func error(_ state: String, _ reason: String) -> any Error {
    // PL/Proxy puts its own text before the error message of a shard, which is removed here.
    let reason = reason.components(separatedBy: "REMOTE ERROR: ").last ?? reason
    if state == "WM001" { return SyncError.erasedHere }
    if state == "WM002" { return SyncError.anotherLearner(name: nil) }
    if state == "WM003" { return SyncError.fork(reason) }
    if state == "WM004" { return SyncError.otherContent(uuid: reason) }
    if state == "WM006" { return NavigationError.invalidToken }
    if state == "WM005" { return SyncError.contradictory(detail: reason) }
    switch state.prefix(2) {
    // Cardinality violations, data exceptions and integrity constraint violations.
    case "21", "22", "23": return SyncError.contradictory(detail: reason)
    case "3F": return HubError.notMigrated(host: host)
    case _ where ["42883", "42P01"].contains(state): return HubError.notMigrated(host: host)
    // Full disk. Source: PostgreSQL 15, appendix A, class 53.
    case _ where state == "53100": return HubError.diskFull(host: host, reason: reason)
    // Connections that were lost, and servers that are starting, shutting down or read-only.
    case "", "08": return HubError.unreachable(host: host, reason: reason)
    // PL/Proxy reports this error itself if a shard does not answer.
    case _ where state == "XX000" && reason.hasPrefix("PL/Proxy"):
      return HubError.unreachable(host: host, reason: reason)
    case _ where state.hasPrefix("57P") || state == "25006":
      return HubError.unreachable(host: host, reason: reason)
    default: return HubError.failed(host: host, state: state, reason: reason)
    }
  }

  private static func line(_ message: UnsafeMutablePointer<CChar>?) -> String {
    message.map { String(cString: $0) }?.split(whereSeparator: \.isNewline).joined(separator: "; ") ?? ""
  }
}

private enum CStrings {
  /// Calls a function with a null-terminated array of C strings. The strings are valid only during the call.
  static func with<Answer>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Answer
  ) rethrows -> Answer {
    let copies = texts.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return try (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { try body($0.baseAddress!) }
  }
}

/// A pool of connections. A call uses a free connection or opens a new one, so there are never more connections than
/// threads.
final class PostgresPool: Sendable {
  let address: PostgresAddress
  private let free = Mutex<[PostgresConnection]>([])

  init(_ address: PostgresAddress) { self.address = address }

  /// Calls a function of the hub. If the connection was lost, repeats the call once on a new connection.
  ///
  /// Repeating a call is safe, because merging the same data twice has no effect.
  func call(_ function: String, _ values: [String?], isSet: Bool = false) throws -> String? {
    if let connection = free.withLock({ $0.popLast() }) {
      do { return try use(connection, function, values, isSet) } catch HubError.unreachable {}
      // The server was restarted or is unreachable, so the other free connections were lost too.
      free.withLock { $0 = [] }
    }
    return try use(PostgresConnection(address), function, values, isSet)
  }

  private func use(
    _ connection: PostgresConnection, _ function: String, _ values: [String?], _ isSet: Bool
  ) throws -> String? {
    defer {
      if connection.isUsable { free.withLock { $0.append(connection) } }
    }
    return try connection.call(function, values, isSet: isSet)
  }
}

/// The address of a hub's PostgreSQL server.
struct PostgresAddress: Hashable, Sendable {
  /// The address as passed to libpq. It may contain a password, so no message contains it.
  let text: String
  /// The host, port and database for messages, without user name and password.
  let host: String

  /// Parses an address such as `postgres://waymark@127.0.0.1/waymark`.
  ///
  /// libpq quotes parts of an address in its error messages. If a special character in a password is not
  /// percent-encoded, libpq treats a part of the password as a host or a port. Such an address is refused here, and the
  /// error does not quote it.
  ///
  /// Source: PostgreSQL 15, 34.1.1.2, "Connection URIs".
  ///
  /// - Throws: ``HubError/unusableAddress(reason:)``.
  init(_ text: String) throws {
    guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }) else {
      throw HubError.unusableAddress(reason: "it does not begin with postgres://")
    }
    self.text = text
    guard let settings = Self.settings(of: text) else {
      throw HubError.unusableAddress(reason: "it cannot be parsed")
    }
    let (hosts, database) = (settings["host"] ?? settings["hostaddr"] ?? "", settings["dbname"] ?? "")
    let ports = settings["port"] ?? ""
    guard !hosts.contains("@"), settings["user"] != nil || !database.contains("@"),
      ports.split(separator: ",").allSatisfy({ UInt16($0) != nil })
    else {
      throw HubError.unusableAddress(reason: "its host or port is not valid")
    }
    // If there are several hosts, libpq separates their ports by commas, even if no port is given.
    host = hosts + (ports.allSatisfy { $0 == "," } ? "" : ":" + ports) + "/" + database
  }

  /// The settings of the address by the keywords of libpq.
  var settings: [String: String] { Self.settings(of: text) ?? [:] }

  /// Parses an address. Returns `nil` if libpq cannot parse it.
  private static func settings(of text: String) -> [String: String]? {
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var settings: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return settings
  }
}

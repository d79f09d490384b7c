import Foundation
import LearningModel
import LibPQ
import NavigationKit
import Synchronization

/// A connection to PostgreSQL. It waits for each answer, so it is asked on threads that may wait.
///
/// Only one thread uses it at a time: ``PostgresPool`` lends it.
final class PostgresConnection: @unchecked Sendable {
  private let host: String
  private let connection: OpaquePointer
  /// The functions whose statements the server has prepared.
  private var prepared: Set<String> = []

  /// Connects. Of several hosts in the address the one that takes changes is chosen.
  ///
  /// - Throws: ``HubError/unreachable(host:reason:)``.
  init(_ address: PostgresAddress) throws {
    host = address.host
    let names: [(String, String)] = [
      ("dbname", address.text), ("target_session_attrs", "read-write"), ("connect_timeout", "5"),
      ("application_name", "waymark-server"), ("client_encoding", "UTF8"),
      // A server that has gone is noticed within seconds, also in mid-answer.
      ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      // What a message says of time is in UTC; numbers are written so that they are read back the same.
      ("options", "-c TimeZone=UTC -c DateStyle=ISO -c jit=off"),
    ]
    let opened = CStrings.with(names.map(\.0)) { keys in
      CStrings.with(names.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
    }
    guard let opened, PQstatus(opened) == CONNECTION_OK else {
      let reason = opened.map { Self.line(PQerrorMessage($0)) } ?? "there is no memory"
      PQfinish(opened)
      throw HubError.unreachable(host: host, reason: reason)
    }
    connection = opened
    // What the server says beside its answers is in its log.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Whether it can be asked again.
  var isUsable: Bool { PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE }

  /// Calls a function of the hub's: one transaction.
  ///
  /// - Parameters:
  ///   - function: Its name.
  ///   - values: Its parameters, as texts.
  /// - Returns: Its one value as text; `nil` for null.
  /// - Throws: ``HubError``, and ``NavigationService/SyncError`` for the errors that the functions name.
  func call(_ function: String, _ values: [String?]) throws -> String? {
    if !prepared.contains(function) {
      let places = (1...max(1, values.count)).prefix(values.count).map { "$\($0)" }.joined(separator: ", ")
      _ = try finish(PQprepare(connection, function, "SELECT waymark.\(function)(\(places))", 0, nil))
      prepared.insert(function)
    }
    return try CStrings.with(values) { list in
      try finish(PQexecPrepared(connection, function, Int32(values.count), list, nil, nil, 0))
    }
  }

  /// Runs statements that have no parameters.
  ///
  /// - Returns: The first value of the last one.
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

  /// What went wrong, by the code that PostgreSQL gives it.
  ///
  /// Source: PostgreSQL 15, appendix A, "Error Codes"; those that begin with WM are the hub's own functions'.
  private func error(_ state: String, _ reason: String) -> any Error {
    // A proxy tells what a database behind it said, with its own words before it.
    let reason = reason.components(separatedBy: "REMOTE ERROR: ").last ?? reason
    if state == "WM001" { return SyncError.erasedHere }
    if state == "WM002" { return SyncError.anotherLearner(name: "of the token") }
    if state == "WM003" { return SyncError.fork(reason) }
    if state == "WM004" { return SyncError.otherContent(uuid: reason) }
    if state == "WM005" { return SyncError.contradictory(detail: reason) }
    switch state.prefix(2) {
    // Values that no column takes.
    case "21", "22", "23": return SyncError.contradictory(detail: reason)
    case "3F": return HubError.notMigrated(host: host)
    case _ where ["42883", "42P01"].contains(state): return HubError.notMigrated(host: host)
    // Full disk. Source: PostgreSQL 15, appendix A, class 53.
    case _ where state == "53100": return HubError.diskFull(host: host, reason: reason)
    // Lost connections, servers that end, begin or only read.
    case "", "08": return HubError.unreachable(host: host, reason: reason)
    // PL/Proxy's own, where a database behind it does not answer.
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

/// Texts as C has them.
private enum CStrings {
  /// Calls with a list of texts; the list ends with a null pointer.
  static func with<Answer>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Answer
  ) rethrows -> Answer {
    let copies = texts.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return try (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { try body($0.baseAddress!) }
  }
}

/// The connections of a store. Each call takes one that is free, or opens one, so there are as many as threads that ask.
final class PostgresPool: Sendable {
  let address: PostgresAddress
  private let free = Mutex<[PostgresConnection]>([])

  init(_ address: PostgresAddress) { self.address = address }

  /// Calls a function of the hub's; once more on a new connection where the one that it had was lost, since whatever was
  /// taken in already changes nothing the second time.
  func call(_ function: String, _ values: [String?]) throws -> String? {
    if let connection = free.withLock({ $0.popLast() }) {
      do { return try use(connection, function, values) } catch HubError.unreachable {}
      // The others were lost with it.
      free.withLock { $0 = [] }
    }
    return try use(PostgresConnection(address), function, values)
  }

  private func use(_ connection: PostgresConnection, _ function: String, _ values: [String?]) throws -> String? {
    defer {
      if connection.isUsable { free.withLock { $0.append(connection) } }
    }
    return try connection.call(function, values)
  }
}

/// The address of a hub's PostgreSQL.
struct PostgresAddress: Hashable, Sendable {
  /// The address as libpq reads it. It may hold a password, so no message contains it.
  let text: String
  /// The host, port and database, without user name and password, for messages.
  let host: String

  /// Parses an address such as `postgres://waymark@127.0.0.1/waymark`.
  ///
  /// libpq quotes parts of an address in its error messages, and takes a piece of a password for a host or a port if a
  /// special character is not percent-encoded. Such an address is refused here, without quoting it.
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
      throw HubError.unusableAddress(reason: "a part of it cannot be read")
    }
    let (hosts, database) = (settings["host"] ?? settings["hostaddr"] ?? "", settings["dbname"] ?? "")
    let ports = settings["port"] ?? ""
    guard !hosts.contains("@"), settings["user"] != nil || !database.contains("@"),
      ports.split(separator: ",").allSatisfy({ UInt16($0) != nil })
    else {
      throw HubError.unusableAddress(reason: "its host or its port cannot be one")
    }
    // libpq separates the ports of several hosts by commas, also if none is given.
    host = hosts + (ports.allSatisfy { $0 == "," } ? "" : ":" + ports) + "/" + database
  }

  /// The settings of the address, by libpq's keywords.
  var settings: [String: String] { Self.settings(of: text) ?? [:] }

  /// Parses an address; `nil` if libpq cannot read it.
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

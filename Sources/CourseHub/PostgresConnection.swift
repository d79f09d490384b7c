import Foundation
import LearningModel
import LibPQ
import NavigationService

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

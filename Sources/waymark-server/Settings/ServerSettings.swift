import LearningModel
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct ServerSettings: Sendable {
  /// The path of the database file. The file is created if it does not exist.
  var database: String
  /// The address of the hub's PostgreSQL and the tenant of its learners. If `nil`, the database is the hub.
  var hub: (address: PostgresAddress, tenant: String)?
  /// The address at which the server listens.
  var host = "127.0.0.1"
  /// The port at which the server listens. If 0, the system chooses a free port.
  var port = 8080
  /// Whether a proxy forwards the requests and appends the client's address to `X-Forwarded-For`.
  var isBehindProxy = false
  /// The maximum number of requests per second with each token, averaged over a few seconds. If 0, the number is
  /// unlimited.
  var requestsPerSecond = 50
  /// The maximum number of connections. Further clients wait until a connection is closed.
  var connections = 16_384
  /// The maximum time in seconds for receiving a request, for the pause between two requests, and for sending a chunk
  /// of a response.
  var clientTimeout = 30
  /// The hour of the day, 0…23 in the machine's time zone, at which the remains of erased rows are overwritten.
  var sweepHour = 3

  /// The maximum size of a message of a synchronisation in bytes.
  static let maximumMessageBytes = 1_048_576
  /// The maximum size of any other request's body in bytes. Two texts of the maximum length have 24,000 bytes if all
  /// of their characters are escaped.
  static let maximumObjectBytes = 32_768
  /// The maximum size of a request's head in bytes.
  static let maximumHeadBytes = 16_384
  /// The maximum number of header fields of a request.
  static let maximumFields = 100
  /// The write-ahead log is truncated if it has at least this size, in bytes.
  static let walTruncationBytes = 16_777_216
  /// The maximum time for which a step waits for other writers.
  static let busyTimeout = Duration.seconds(3)
  /// The maximum number of event streams that a token may hold open.
  static let streamsOfToken = 256
}

extension ServerSettings {
  /// Returns warnings about insecure settings, one sentence each.
  ///
  /// - Parameter user: The user ID of the process; 0 for root.
  func warnings(user: UInt32) -> [String] {
    var warnings: [String] = []
    let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if !isLocal, !isBehindProxy {
      warnings.append(
        "The server listens at '\(host)' without TLS. Others on the network can read tokens and the learners' data. "
          + "Listen at 127.0.0.1 and run a proxy with TLS in front, or use --behind-proxy.")
    }
    if user == 0 {
      warnings.append("The server runs as root without needing it. Run it as a separate user.")
    }
    var status = stat()
    if hub == nil, stat(database, &status) == 0, status.st_mode & 0o077 != 0 {
      warnings.append(
        "Other users of this machine can access the database, which contains the learners' data. "
          + "Run \(shell: "chmod", "600", database).")
    }
    return warnings
  }
}

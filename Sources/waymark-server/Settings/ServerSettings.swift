import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How a server is run.
struct ServerSettings: Sendable {
  /// Where the database is or shall be.
  var database: String
  /// Where the hub's PostgreSQL is, and to which tenant its learners belong; `nil` where the database is the hub.
  var hub: (address: PostgresAddress, tenant: String)?
  /// The address that it listens at.
  var host = "127.0.0.1"
  /// The port that it listens at; 0 for any that is free.
  var port = 8080
  /// Whether a proxy stands before it, and names the client in the last entry of `X-Forwarded-For`.
  var isBehindProxy = false
  /// How many requests each token may make in a second, over some seconds; 0 for as many as it likes.
  var requestsPerSecond = 50
  /// How many clients may be connected; others wait until one leaves.
  var connections = 16_384
  /// How long, in seconds, a client may take for a request, be away between two, or not read its answer.
  var patience = 30
  /// The hour of the day, in the machine's time zone, at which the file is swept where something was erased, 0…23.
  var sweepHour = 3

  /// Bytes of a request's body at most.
  static let longestBody = 1_048_576
  /// Bytes of a request's head at most.
  static let longestHead = 16_384
  /// The number of header fields of a request at most.
  static let mostFields = 100
  /// The length in bytes from which the write-ahead log is truncated.
  static let longestLog = 16_777_216
  /// How long, in milliseconds, a step waits for a busy database.
  static let longestWait = 3_000
  /// Streams of events that one token may hold open.
  static let streamsOfToken = 256
}

extension ServerSettings {
  /// Warnings about the way in which the server is run, one sentence each.
  ///
  /// - Parameter user: The number of the user that runs it; 0 for root.
  func warnings(user: UInt32) -> [String] {
    var warnings: [String] = []
    let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.")
    if !isLocal, !isBehindProxy {
      warnings.append(
        "The server listens at '\(host)' without TLS, so that everyone on the network can read tokens and what learners do: "
          + "listen at 127.0.0.1, with a proxy that ends TLS in front, or give --behind-proxy.")
    }
    if user == 0 {
      warnings.append("The server runs as root, and needs no rights of root: run it as a user of its own.")
    }
    var status = stat()
    if hub == nil, stat(database, &status) == 0, status.st_mode & 0o077 != 0 {
      warnings.append(
        "Others on this machine may read or write the database, and with it everything that learners did: "
          + "run chmod 600 \(database.quotedInShell).")
    }
    return warnings
  }
}

package import CourseHub

/// How a server is run.
package struct ServerSettings: Sendable {
  /// Where the database is or shall be.
  package var database: String
  /// Where the hub's PostgreSQL is, and to which tenant its learners belong; `nil` where the database is the hub.
  package var hub: (address: PostgresAddress, tenant: String)?
  /// The address that it listens at.
  package var host = "127.0.0.1"
  /// The port that it listens at; 0 for any that is free.
  package var port = 8080
  /// Whether a proxy stands before it, and names the client in the last entry of `X-Forwarded-For`.
  package var isBehindProxy = false
  /// How many requests each token may make in a second, over some seconds; 0 for as many as it likes.
  package var requestsPerSecond = 50
  /// How many clients may be connected; others wait until one leaves.
  package var connections = 16_384
  /// How long, in seconds, a client may take for a request, be away between two, or not read its answer.
  package var patience = 30
  /// The hour of the day, in the machine's time zone, at which the file is swept where something was erased, 0…23.
  package var sweepHour = 3

  /// Bytes of a request's body at most.
  package static let longestBody = 1_048_576
  /// Bytes of a request's head at most.
  package static let longestHead = 16_384
  /// The number of header fields of a request at most.
  static let mostFields = 100
  /// The length in bytes from which the write-ahead log is truncated.
  static let longestLog = 16_777_216
  /// How long, in milliseconds, a step waits for a busy database.
  package static let longestWait = 3_000
  /// Streams of events that one token may hold open.
  package static let streamsOfToken = 256

  /// Serves that database as it is usual.
  package init(database: String) {
    self.database = database
  }
}

import LearningModel

/// An error of a hub. Most cases concern a hub on PostgreSQL.
enum HubError: ExplainedError, Hashable {
  /// The text is not an address of PostgreSQL. The error does not contain the text, since it may have a password.
  case unusableAddress(reason: String)
  /// The name of a tenant contains characters that are not allowed, or is too long.
  case unusableTenant(String)
  /// The server does not answer, or is read-only.
  case unreachable(host: String, reason: String)
  case diskFull(host: String, reason: String)
  /// The tables are missing, or belong to a different version of the server.
  case notMigrated(host: String)
  /// A migration that was applied to the database differs from the migration of the same name in this program.
  case migrationMismatch(name: String)
  /// Other transactions locked a table during every attempt.
  case locked(name: String, attempts: Int)
  /// The number of databases is not a power of two.
  case unusableShardCount(Int)
  /// The learners are already distributed over a different number of databases.
  case shardCountMismatch(known: Int, named: Int)
  /// The database is a proxy, but its shards were not specified.
  case shardsNotNamed
  case unknownClass(String)
  case notInClass(learner: String, className: String)
  /// No learner has this name, and other learners have similar names.
  case similarLearner(String, className: String, nearest: [String])
  case unknownCourse(String)
  /// A session of the learner was continued on both hubs.
  case forkedSession(learner: String)
  case movedOntoItself(String)
  /// The folder of a reporting replica cannot be created or locked.
  case unusableReplica(folder: String, reason: String)
  /// The folder contains other files, or the replica of another hub or tenant, whose description is `content`.
  case foreignReplica(folder: String, content: String?)
  /// PostgreSQL reported an unexpected error.
  case failed(host: String, state: String, reason: String)

  var kind: FailureKind {
    switch self {
    case .unusableAddress, .unusableTenant, .unusableShardCount, .shardCountMismatch, .shardsNotNamed, .forkedSession,
      .movedOntoItself, .similarLearner, .foreignReplica:
      .refused
    case .unknownClass, .notInClass, .unknownCourse: .notFound
    case .unreachable: .unavailable
    case .unusableReplica: .cannotCreate
    case .notMigrated, .migrationMismatch: .badData
    case .locked: .tryAgain
    case .failed, .diskFull: .inputOutput
    }
  }

  var description: String {
    switch self {
    case .unusableAddress(let reason):
      "Could not use the URL of a hub: \(reason). Write it as postgres://waymark@127.0.0.1/waymark, and percent-encode "
        + "special characters of a password, such as %40 for @. "
        + "The URL is not shown because it may contain a password."
    case .unusableTenant(let text):
      "Could not use \(quoted: text) as a tenant: a name has up to 40 characters, which are a to z, 0 to 9 and hyphens. "
        + "Choose another name with --tenant."
    case .unreachable(let host, let reason):
      "Could not reach PostgreSQL at \(quoted: host): \(reason). Check that it is running and that the URL is correct."
    case .diskFull(let host, let reason):
      "Could not write to PostgreSQL at \(quoted: host): \(reason). Free some disk space there."
    case .notMigrated(let host):
      "Could not use PostgreSQL at \(quoted: host): it does not have the tables of this version. "
        + "Run 'waymark-server migrate' with the same URL."
    case .migrationMismatch(let name):
      "Could not migrate: \(quoted: name) was applied with different statements. "
        + "Use the version of Waymark that applied it, or create another database."
    case .locked(let name, let attempts):
      "Could not migrate \(quoted: name): other transactions locked a table at each of \(attempts) attempts. "
        + "Nothing was changed. Run the command again when the load is lower."
    case .unusableShardCount(let count):
      "Could not distribute learners over \(count) databases: PL/Proxy requires a power of two, such as 2, 4 or 8. "
        + "Name that many with --shard."
    case .shardCountMismatch(let known, let named):
      "Could not distribute learners over \(named) databases: they are already distributed over \(known). "
        + "Name the same databases with --shard, in the same order."
    case .shardsNotNamed:
      "Could not migrate: this database forwards requests to others. "
        + "Name those databases with --shard, in the original order."
    case .unknownClass(let name):
      "Could not find the class \(quoted: name): there is no class with this name. "
        + "List the classes with 'waymark-server class list'."
    case .notInClass(let learner, let className):
      "Could not remove \(quoted: learner) from the class \(quoted: className): the learner is not a member. "
        + "List the members with 'waymark-server class list'."
    case .similarLearner(let learner, let className, let nearest):
      "Could not add '\(learner)' to the class '\(className)': there is no learner with this name, but similar ones: "
        + "\(nearest.map { "'\($0)'" }.joined(separator: ", ")). Use one of these names, or create a token for "
        + "'\(learner)' first."
    case .unknownCourse(let path):
      "Could not report on \(quoted: path): no course has this path, or no learner of this hub has visited it. "
        + "Use the path of a course, such as english-for-business."
    case .forkedSession(let learner):
      "Could not move \(quoted: learner): a session was continued on both hubs. "
        + "Synchronise a database of the learner with the source hub, then with the target hub."
    case .movedOntoItself(let hub):
      "Could not move \(quoted: hub): it is both the source and the target. Name two different hubs."
    case .unusableReplica(let folder, let reason):
      "Could not use the folder \(quoted: folder) for a reporting replica: \(reason). "
        + "Name a folder that you can write with --replica."
    case .foreignReplica(let folder, let content):
      "Could not use the folder \(quoted: folder) for a reporting replica: "
        + (content.map { "it contains the \($0)" } ?? "it contains other files")
        + ". Name another folder with --replica."
    case .failed(let host, let state, let reason):
      "Could not query PostgreSQL at \(quoted: host): \(reason) (\(state)). Check its log."
    }
  }
}

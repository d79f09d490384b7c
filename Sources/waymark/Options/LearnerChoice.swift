import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import TextCanvas

/// The database and the learner of a command: those given by its flags, otherwise those of the environment.
protocol LearnerChoice {
  /// The database file of the flag `--database`.
  var database: String? { get }
  /// The learner of the flag `--learner`.
  var learner: String? { get }
}

extension LearnerChoice {
  /// The path of the database file. An invalid path is refused only when the database is opened.
  var databasePath: String {
    let text = database ?? ProgramEnvironment.current.databasePath
    return (try? LearningDatabase.path(named: text)) ?? text
  }

  var learnerName: String { learner ?? ProgramEnvironment.current.learnerName }

  /// Opens the library of courses. Prints a warning, once per database, if other users can read the database.
  func library() throws -> CourseLibrary {
    let library = try CourseLibrary(databaseAt: databasePath)
    if library.shouldWarnAboutPermissions() { Self.warnAboutPermissions(of: library.path) }
    return library
  }

  /// Prints how to deny other users access to the database.
  private static func warnAboutPermissions(of path: String) {
    StandardError.write(
      "Other users of this machine can access the database at \(quoted: path), which contains your history. "
        .harmlessLines
        + "To prevent this, run: \(shell: "chmod", "600", path)\n".harmlessLines)
  }

  /// Opens the navigation service of one learner.
  ///
  /// - Parameter session: The session in which to navigate or to query. With ``NavigationService/SessionChoice/none``,
  ///   the current place is the newest one in any of the learner's sessions.
  func navigation(session: SessionChoice = .shell) throws -> NavigationService {
    guard learner != everyone else {
      throw ValidationError("--learner \(everyone) is supported only for queries of the history. Name a learner.")
    }
    return try service(learnerName, session: session, timeZone: .current)
  }

  /// Opens the navigation service for commands that only read. A learner who is named by a flag must exist; the learner
  /// of the environment need not exist yet.
  func readOnlyService(session: SessionChoice = .none) throws -> NavigationService {
    let service = try navigation(session: session)
    if let learner { _ = try service.history.sessions(of: .named(learner)) }
    try auditRead(of: scope, by: service)
    return service
  }

  /// Opens the navigation service for queries of the history, where `--learner all` means everyone.
  func history(in zone: ZoneOptions? = nil) throws -> NavigationService {
    let name = learner == everyone ? ProgramEnvironment.current.learnerName : learnerName
    let service = try self.service(name, session: .none, timeZone: zone?.zone() ?? .current)
    try auditRead(of: scope, by: service)
    return service
  }

  /// Opens the database for a learner. If the name is a login name, a learner whose name differs only in case is also
  /// accepted, and a message reports this.
  private func service(
    _ name: String, session: SessionChoice, timeZone: TimeZone
  ) throws -> NavigationService {
    let isLogin = (learner == nil || learner == everyone) && ProgramEnvironment.current.usesLoginName
    let service = try NavigationService(
      databaseAt: databasePath, learner: name, ignoringCase: isLogin, session: session, timeZone: timeZone)
    if isLogin, service.learner != name {
      StandardError.write(
        "Using learner \(quoted: service.learner), whose name differs from your login name only in case. "
          .harmlessLines + "To choose another learner, set WAYMARK_LEARNER or use --learner.\n")
    }
    _ = try library()
    return service
  }

  /// The learners whose history is queried. A learner who is named by a flag must exist; the learner of the environment
  /// need not exist yet.
  var scope: LearnerScope {
    switch learner {
    case nil: .current
    case everyone?: .everyone
    case let name?: .named(name)
    }
  }
}

private let everyone = "all"

extension SessionChoice {
  /// The session choice of commands that only read, which do not begin a session.
  static let none = SessionChoice.process(named: "question")
}

extension LearnerChoice {
  /// If a server uses the database, records in the audit log that the data of other learners is read. Must be called
  /// before the read.
  ///
  /// - Parameter scope: The learners whose data is read.
  func auditRead(of scope: LearnerScope, by service: NavigationService) throws {
    let learner: String?
    switch scope {
    case .current: return
    case .everyone: learner = nil
    case .named(let name) where name == ProgramEnvironment.current.learnerName: return
    case .named(let name): learner = name
    }
    let commandNames = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }.prefix(2)
    try service.access.recordAuditIfServed(command: commandNames.joined(separator: " "), of: learner)
  }
}

import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// Which database, and which learner: what is asked for, or else what the surroundings say.
protocol LearnerChoice {
  /// The database file that is asked for.
  var database: String? { get }
  /// The learner who is asked for.
  var learner: String? { get }
}

extension LearnerChoice {
  /// Where the database is.
  var databasePath: String { database ?? ProgramEnvironment.current.databasePath }

  /// Who is learning.
  var learnerName: String { learner ?? ProgramEnvironment.current.learnerName }

  /// The door to everything about courses. Where others may see the database, that is said, once for each.
  func library() throws -> CourseLibrary {
    let library = try CourseLibrary(databaseAt: databasePath)
    if library.isExposureNews() { Self.tellOfExposure(of: library.path) }
    return library
  }

  /// Says who may read the database, and how that ends.
  private static func tellOfExposure(of path: String) {
    let quoted = path.quotedInShell
    StandardError.write(
      "Others on this machine may use the database at \(quoted), and what you did is in it. ".harmlessLines
        + "To keep it to yourself, run: chmod 600 \(quoted)\n".harmlessLines)
  }

  /// The door to moving, for one learner.
  ///
  /// - Parameter session: Which session moves, or is asked about; with ``NavigationService/SessionChoice/none`` it is the
  ///   learner's newest place in any.
  func navigation(session: NavigationService.SessionChoice = .shell) throws -> NavigationService {
    guard learner != everyone else {
      throw ValidationError("--learner \(everyone) is for questions about the history; name one learner here.")
    }
    return try service(learnerName, session: session, timeZone: .current)
  }

  /// The door to what one learner has, for commands that only ask: a name that is given must exist, one's own need not yet.
  func asking(session: NavigationService.SessionChoice = .none) throws -> NavigationService {
    let service = try navigation(session: session)
    if let learner { _ = try service.sessions(of: .named(learner)) }
    try noteRead(of: scope, by: service)
    return service
  }

  /// The door to history, where `--learner all` means everyone.
  func history(in zone: ZoneOptions? = nil) throws -> NavigationService {
    let name = learner == everyone ? ProgramEnvironment.current.learnerName : learnerName
    let service = try self.service(name, session: .none, timeZone: zone?.zone() ?? .current)
    try noteRead(of: scope, by: service)
    return service
  }

  /// Opens the database for a learner. A login name also finds a learner whose name differs in case, which is reported.
  private func service(
    _ name: String, session: NavigationService.SessionChoice, timeZone: TimeZone
  ) throws -> NavigationService {
    let isLogin = (learner == nil || learner == everyone) && ProgramEnvironment.current.usesLoginName
    let service = try NavigationService(
      databaseAt: databasePath, learner: name, ignoringCase: isLogin, session: session, timeZone: timeZone)
    if isLogin, service.learner != name {
      StandardError.write(
        "Using learner '\(service.learner)', whose name differs from your login name only in case. "
          .harmlessLines + "Set WAYMARK_LEARNER, or use --learner, to choose a learner.\n")
    }
    _ = try library()
    return service
  }

  /// Whose history is asked for: a name that is given must exist, one's own need not yet.
  var scope: LearnerScope {
    switch learner {
    case nil: .own
    case everyone?: .everyone
    case let name?: .named(name)
    }
  }
}

private let everyone = "all"

extension NavigationService.SessionChoice {
  /// That of a command which only asks: it has none, and begins none.
  static let none = NavigationService.SessionChoice.process(named: "question")
}

extension LearnerChoice {
  /// Records in the audit of a served database that the data of other learners is read. Must be called before the read.
  ///
  /// - Parameter scope: The learners whose data is read.
  func noteRead(of scope: LearnerScope, by service: NavigationService) throws {
    let learner: String?
    switch scope {
    case .own: return
    case .everyone: learner = nil
    case .named(let name) where name == ProgramEnvironment.current.learnerName: return
    case .named(let name): learner = name
    }
    let words = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }.prefix(2)
    try service.noteAuditIfServed(command: words.joined(separator: " "), of: learner)
  }
}

import Answers
import ArgumentParser
import Foundation
import LearningModel
import TextCanvas

/// The errors of the program itself. The library modules have their own errors.
enum Failure: ExplainedError, Hashable {
  /// No token has that number, or the token is already revoked.
  case unknownToken(Int64)
  /// The database whose learners should be moved does not exist.
  case noDatabase(path: String)
  /// The database to serve does not exist.
  case noServedDatabase(path: String)
  /// Standard output is closed or full.
  case cannotWriteOutput(reason: String, isPerformed: Bool)
  case unexpected(reason: String)

  var kind: FailureKind {
    switch self {
    case .unknownToken, .noDatabase, .noServedDatabase: .notFound
    case .cannotWriteOutput: .inputOutput
    case .unexpected: .unavailable
    }
  }

  var description: String {
    switch self {
    case .unknownToken(let id):
      "Could not revoke token \(id): there is no such token, or it is already revoked. "
        + "List the tokens with 'waymark-server tokens list'."
    case .noDatabase(let path):
      "Could not move \(quoted: path): there is no such file. Name a database, or a URL that begins with postgres://."
    case .noServedDatabase(let path):
      "Could not serve \(quoted: path): there is no such database. "
        + "Check --database and WAYMARK_DATABASE, or create it with --create."
    case .cannotWriteOutput(let reason, let isPerformed):
      "Could not write the output: \(reason). "
        + (isPerformed
          ? "The command has been performed; list its result with another output."
          : "Free some disk space and try again.")
    case .unexpected(let reason):
      "Could not run the server: \(reason). Check its log."
    }
  }

  /// Prints the description of an error to standard error.
  ///
  /// - Returns: An exit code of `sysexits.h`.
  static func report(_ error: any Error) -> any Error {
    guard !(error is ExitCode) else { return error }
    let explained = error as? any ExplainedError ?? Failure.unexpected(reason: "\(error)")
    let text = Addresses.removed(from: CommandWords.text(explained), arguments: CommandLine.arguments)
    FileHandle.standardError.write(Data((text.harmlessLines + "\n").utf8))
    return ExitCode(explained.kind.exitStatus)
  }
}

/// A command whose errors are printed by ``Failure/report(_:)``.
protocol ServerCommand: ParsableCommand {
  func perform() throws
}

extension ServerCommand {
  func run() throws {
    do { try perform() } catch { throw Failure.report(error) }
  }
}

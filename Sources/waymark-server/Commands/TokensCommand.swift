import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark-server tokens`: manages access tokens.
struct TokensCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens",
    abstract: "Create, list and revoke access tokens.",
    discussion: "Example:\n  waymark-server tokens add ada --expires 90",
    subcommands: [TokensAddCommand.self, TokensListCommand.self, TokensRevokeCommand.self])
}

extension AccessScope: ExpressibleByArgument {}

/// `waymark-server tokens add NAME`.
struct TokensAddCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Create a token. It is printed once and not stored.",
    discussion: "Example:\n  waymark-server tokens add ada --scope learner --expires 90")

  @OptionGroup var hub: HubOption
  @Argument(help: "The name of the learner, which may be new.") var name: String
  @Option(help: "The permissions of the token.") var scope = AccessScope.learner
  @Option(help: ArgumentHelp("The number of days until the token expires, or never.", valueName: "days")) var expires =
    "365"

  /// The number of days until the token expires, or `nil` for never.
  private var days: Int64? { Int64(expires) }

  func validate() throws {
    guard expires == "never" || (1...36_500).contains(days ?? 0) else {
      throw ValidationError("--expires must be a number of days from 1 to 36500 or never, not \(quoted: expires).")
    }
  }

  func perform() throws {
    let now = Timestamp(date: Date())
    let end = days.map { now.advanced(byMilliseconds: $0 * 86_400_000) }
    let (secret, token) = try hub.store().addToken(for: name, scope, at: now, expiresAt: end)
    FileHandle.standardError.write(
      Data(
        """
        Token \(token.id) of \(token.learner), \(token.scope.rawValue), \(end.map { "until \($0)" } ?? "without expiry"). \
        It is not shown again:

        """.harmlessLines.utf8))
    Output.line(secret)
  }
}

/// `waymark-server tokens list`.
struct TokensListCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List all tokens, without their secrets.",
    discussion: "Example:\n  waymark-server tokens list --format json")

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, json
  }

  @OptionGroup var hub: HubOption
  @Option(help: "The output format.") var format = Format.table

  private struct Row: Encodable {
    let id: Int64
    let learner: String
    let scope: AccessScope
    let createdAt: Timestamp
    let expiresAt: Timestamp?
    let revokedAt: Timestamp?
    let valid: Bool
  }

  func perform() throws {
    let now = Timestamp(date: Date())
    let rows = try hub.store().tokens().map {
      Row(
        id: $0.id, learner: $0.learner, scope: $0.scope, createdAt: $0.createdAt, expiresAt: $0.expiresAt,
        revokedAt: $0.revokedAt, valid: $0.isValid(at: now))
    }
    switch format {
    case .json: Output.text(try AnswerText.json(rows))
    case .table:
      for row in rows {
        let end =
          row.revokedAt.map { "revoked at \($0)" } ?? row.expiresAt.map {
            (row.valid ? "until " : "expired at ") + "\($0)"
          }
          ?? "without expiry"
        Output.line("\(row.id)  \(row.learner)  \(row.scope.rawValue)  \(end)")
      }
      if rows.isEmpty {
        Output.line("No tokens yet. Create one with 'waymark-server tokens add NAME'.")
      }
    }
  }
}

/// `waymark-server tokens revoke ID`.
struct TokensRevokeCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a token.",
    discussion: "Example:\n  waymark-server tokens revoke 3")

  @OptionGroup var hub: HubOption
  @Argument(help: "The number of the token, from 'tokens list'.") var id: Int64

  func perform() throws {
    guard try hub.store().revokeToken(id, at: Timestamp(date: Date())) else { throw Failure.unknownToken(id) }
    Output.line("Revoked token \(id).")
  }
}

/// `waymark-server audit`.
struct AuditCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "List reads of other learners' data, erasures and changes of tokens, newest first.",
    discussion: "Example:\n  waymark-server audit")

  @OptionGroup var hub: HubOption

  func perform() throws {
    for entry in try hub.store().audit() {
      let origin = entry.token == 0 ? "command" : "token \(entry.token)"
      Output.line("\(entry.at)  \(origin)  \(entry.reader)  \(entry.request)  \(entry.learner ?? "everyone")")
    }
  }
}

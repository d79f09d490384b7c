import ExternalPrograms
import Foundation

/// The newest commit of a Git repository, checked out into a temporary folder by the system's `git`.
struct GitRepository {
  private let address: GitAddress
  private let limits: SourceLimits
  private let folder: TemporaryFolder

  /// Clones a repository without its history, its submodules, or questions to the user.
  ///
  /// - Parameters:
  ///   - address: The repository.
  ///   - limits: The limits of its files, checked before they are written.
  ///   - check: Called repeatedly; an error that it throws ends the transfer.
  /// - Returns: The temporary folder. It contains the files in a folder with the repository's name.
  /// - Throws: ``CourseFormatError``.
  static func fetch(_ address: GitAddress, limits: SourceLimits, check: () throws -> Void) throws -> TemporaryFolder {
    let repository = GitRepository(address: address, limits: limits, folder: try TemporaryFolder())
    try repository.fetch(check)
    return repository.folder
  }

  private var files: String { folder.path + "/" + address.name }

  private func fetch(_ check: () throws -> Void) throws {
    guard let git = ExternalProgram(named: "git") else {
      throw CourseFormatError.cannotFetch(address.withoutPassword, reason: "'git' is not installed")
    }
    _ = try run(
      git,
      [
        "clone", "--quiet", "--depth", "1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--no-checkout",
        "--template=", "--", address.text, files,
      ], check)
    try checkSizes(try run(git, ["-C", files, "ls-tree", "-rlz", "--full-tree", "HEAD"], check))
    _ = try run(git, ["-C", files, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "HEAD"], check)
  }

  /// Checks the number and the sizes of the files in the commit.
  ///
  /// - Parameter list: The output of `git ls-tree -lz`: entries of the form `mode type object size<tab>path<nul>`, in which
  ///   the size of a submodule is `-`.
  private func checkSizes(_ list: [UInt8]) throws {
    var (count, size) = (0, 0)
    for entry in list.split(separator: 0) {
      count += 1
      let head = String(decoding: entry.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
      size += Int(head.split(separator: " ").last ?? "") ?? 0
    }
    guard count <= limits.entries else {
      throw CourseFormatError.limit(.entries(limits.entries), file: address.withoutPassword, line: nil)
    }
    guard size <= limits.unpackedSize else {
      throw CourseFormatError.limit(.unpackedSize(limits.unpackedSize), file: address.withoutPassword, line: nil)
    }
  }

  // MARK: - Running git

  /// Variables that keep git from asking, from other transports, and from large files elsewhere.
  ///
  /// Source: git(1), "Environment Variables"; git-lfs-config(5).
  private static let variables = [
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_ALLOW_PROTOCOL": GitAddress.protocols.joined(separator: ":"),
    "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C",
  ]

  /// The bytes of output that are read: a list of 1,000,000 files with paths of 500 bytes.
  private static let mostOutput = 512 << 20

  /// Runs git to its end, and returns its output.
  private func run(_ git: ExternalProgram, _ arguments: [String], _ check: () throws -> Void) throws -> [UInt8] {
    var variables = ProcessInfo.processInfo.environment
    // A hook of git, from which the program may run, names its own repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
      variables[name] = nil
    }
    // The user's own command of ssh stays: it may name a key, and without a terminal it cannot ask.
    variables["GIT_SSH_COMMAND"] = variables["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes"
    variables.merge(Self.variables) { $1 }
    do {
      let result = try git.run(
        arguments, environment: variables, limits: ProgramLimits(output: Self.mostOutput, isConfined: false),
        check: check)
      guard result.code == 0 else { throw failure("git reports '\(reason(in: result.errors))'") }
      return result.output
    } catch ProgramFailure.cannotStart(let reason) {
      throw failure("'git' does not start: \(reason)")
    } catch ProgramFailure.tooMuchOutput {
      throw CourseFormatError.limit(.entries(limits.entries), file: address.withoutPassword, line: nil)
    }
  }

  private func failure(_ reason: String) -> CourseFormatError {
    .cannotFetch(address.withoutPassword, reason: reason)
  }

  /// The first error that git wrote.
  private func reason(in errors: [UInt8]) -> String {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.last ?? "git ended without a message"
    let reason = line.hasPrefix("fatal: ") ? line.dropFirst(7) : line
    return String(reason).replacing(address.text, with: address.withoutPassword)
  }
}

/// The address of a Git repository, with a transport that runs no program of the address's choice.
public struct GitAddress: Hashable, Sendable {
  /// The transports of git that are used.
  ///
  /// Source: git-clone(1), "Git URLs". `ext::` and other remote helpers run commands.
  static let protocols = ["https", "ssh", "git", "file"]

  /// The address as git takes it.
  let text: String

  /// Reads an address.
  ///
  /// - Returns: `nil` if the text is not an address but a path.
  /// - Throws: ``CourseFormatError/unsupportedAddress(_:)`` for other transports.
  public init?(_ text: String) throws {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    let rest = text[scheme.endIndex...]
    if !scheme.isEmpty, rest.hasPrefix("://") || rest.hasPrefix("::") {
      guard rest.hasPrefix("://"), Self.protocols.contains(scheme.lowercased()) else {
        throw CourseFormatError.unsupportedAddress(Self.withoutPassword(text))
      }
    } else {
      // `user@host:path` is short for ssh.
      let host = text.prefix { $0 != ":" && $0 != "/" }
      guard host.dropFirst().dropLast().contains("@"), text[host.endIndex...].hasPrefix(":"), !text.hasPrefix("-")
      else {
        return nil
      }
    }
    self.text = text
  }

  /// The address without a name and password of https, to be shown and stored.
  public var withoutPassword: String { Self.withoutPassword(text) }

  /// The repository's name: the last part of the path without `.git`.
  var name: String {
    let path = text.reversed().drop { $0 == "/" }.prefix { $0 != "/" && $0 != ":" }
    let name = String(path.reversed())
    let stem = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    let isUsable = stem.allSatisfy { $0.isLetter || $0.isNumber || "._-+~".contains($0) }
    return stem.isEmpty || stem.hasPrefix(".") || !isUsable ? "repository" : stem
  }

  private static func withoutPassword(_ text: String) -> String {
    guard let start = text.range(of: "://"), !text.lowercased().hasPrefix("ssh:") else { return text }
    let authority = text[start.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return String(text[..<start.upperBound] + text[text.index(after: at)...])
  }
}

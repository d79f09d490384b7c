import ExternalPrograms
import Foundation
import LearningModel

/// The newest commit of a Git repository, checked out into a temporary folder with the installed `git`.
struct GitRepository {
  private let address: GitAddress
  private let limits: SourceLimits
  private let folder: TemporaryFolder

  /// Clones a repository without its history and submodules. Never prompts the user.
  ///
  /// - Parameters:
  ///   - address: The address of the repository.
  ///   - limits: The limits for its files, checked before the files are written.
  ///   - check: Called repeatedly. If it throws an error, the transfer ends with this error.
  /// - Returns: A temporary folder that contains the files in a subfolder with the name of the repository.
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

  /// Checks the number and the total size of the files in the commit.
  ///
  /// - Parameter list: The output of `git ls-tree -lz`: entries of the form `mode type object size<tab>path<nul>`, in
  ///   which the size of a submodule is `-`.
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

  /// Environment variables that prevent git from prompting, from using other transports, and from downloading files
  /// with Git LFS.
  ///
  /// Source: git(1), "Environment Variables"; git-lfs-config(5).
  private static let variables = [
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_ALLOW_PROTOCOL": GitAddress.protocols.joined(separator: ":"),
    "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C",
  ]

  /// The maximum size of git's output in bytes, which is enough for a list of 1,000,000 files with paths of 500 bytes.
  private static let maximumOutput = 512 << 20

  /// Runs git to completion and returns its output.
  private func run(_ git: ExternalProgram, _ arguments: [String], _ check: () throws -> Void) throws -> [UInt8] {
    var variables = ProcessInfo.processInfo.environment
    // If Waymark is run by a Git hook, these variables refer to the repository of the hook, so they are removed.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
      variables[name] = nil
    }
    // If the user has set an ssh command, it is kept, because it may specify a key. It cannot prompt, because there is
    // no terminal.
    variables["GIT_SSH_COMMAND"] = variables["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes"
    variables.merge(Self.variables) { $1 }
    do {
      let result = try git.run(
        arguments, environment: variables, limits: ProgramLimits(output: Self.maximumOutput, sandbox: nil),
        check: check)
      guard result.code == 0 else { throw failure("git reports \(quoted: reason(in: result.errors))") }
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

  /// Returns the first error in git's messages, without passwords.
  private func reason(in errors: [UInt8]) -> String {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.last ?? "git ended without a message"
    let reason = line.hasPrefix("fatal: ") ? line.dropFirst(7) : line
    return String(reason).replacing(address.text, with: address.withoutPassword)
  }
}

/// The address of a Git repository. Only transports that cannot run arbitrary commands are accepted.
package struct GitAddress: Hashable, Sendable {
  /// The supported transports of git.
  ///
  /// Source: git-clone(1), "Git URLs". `ext::` and other remote helpers run commands.
  static let protocols = ["https", "ssh", "git", "file"]

  /// The address as passed to git.
  let text: String

  /// Parses an address.
  ///
  /// - Returns: `nil` if the text is a path.
  /// - Throws: ``CourseFormatError/unsupportedAddress(_:)`` for other transports.
  package init?(_ text: String) throws(CourseFormatError) {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    let rest = text[scheme.endIndex...]
    if !scheme.isEmpty, rest.hasPrefix("://") || rest.hasPrefix("::") {
      guard rest.hasPrefix("://"), Self.protocols.contains(scheme.lowercased()) else {
        throw CourseFormatError.unsupportedAddress(Self.withoutPassword(text))
      }
    } else {
      // `user@host:path` is a short form of an ssh address.
      let host = text.prefix { $0 != ":" && $0 != "/" }
      guard host.dropFirst().dropLast().contains("@"), text[host.endIndex...].hasPrefix(":"), !text.hasPrefix("-")
      else {
        return nil
      }
    }
    self.text = text
  }

  /// The address without user name and password, for display and storage. An ssh address is unchanged.
  package var withoutPassword: String { Self.withoutPassword(text) }

  /// The name of the repository: the last component of the path without `.git`, or `repository` if that is not a valid
  /// file name.
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

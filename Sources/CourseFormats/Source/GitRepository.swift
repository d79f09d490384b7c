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
  private var output: String { folder.path + "/.output" }
  private var errors: String { folder.path + "/.errors" }

  private func fetch(_ check: () throws -> Void) throws {
    try git(
      [
        "clone", "--quiet", "--depth", "1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--no-checkout",
        "--template=", "--", address.text, files,
      ], check)
    try git(["-C", files, "ls-tree", "-rlz", "--full-tree", "HEAD"], check)
    try checkSizes()
    try git(["-C", files, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "HEAD"], check)
    for file in [output, errors] { unlink(file) }
  }

  /// Checks the number and the sizes of the files in the commit.
  private func checkSizes() throws {
    var (count, size) = (0, 0)
    let list = try FileAccess.read(output, as: address.name, limit: .max, broken: .entries(limits.entries))
    // Each entry is `mode type object size<tab>path<nul>`; the size of a submodule is `-`.
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

  private func git(_ arguments: [String], _ check: () throws -> Void) throws {
    var variables = ProcessInfo.processInfo.environment
    // A hook of git, from which the program may run, names its own repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
      variables[name] = nil
    }
    // The user's own command of ssh stays: it may name a key, and without a terminal it cannot ask.
    variables["GIT_SSH_COMMAND"] = variables["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes"
    variables.merge(Self.variables) { $1 }
    let status = try run(["git"] + arguments, variables: variables.map { "\($0)=\($1)" }, check)
    guard status == 0 else { throw CourseFormatError.cannotFetch(address.withoutPassword, reason: failure) }
  }

  /// The first error that git wrote.
  private var failure: String {
    let bytes = FileAccess.head(of: errors, count: 1 << 16)
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.first { $0.hasPrefix("fatal: ") } ?? lines.last ?? "git ended without a message"
    let reason = line.hasPrefix("fatal: ") ? line.dropFirst(7) : line
    return "git reports '" + reason.replacing(address.text, with: address.withoutPassword) + "'"
  }

  /// Runs a program to its end, in a session of its own: it cannot use the terminal, and its helpers end with it.
  ///
  /// - Returns: Its wait status.
  private func run(_ words: [String], variables: [String], _ check: () throws -> Void) throws -> Int32 {
    #if os(macOS)
    var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    // POSIX_SPAWN_SETSID of the GNU C library, which Swift does not import.
    let newSession: Int16 = 0x80
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var (mask, all) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in arguments + environment { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
      throw CourseFormatError.cannotFetch(
        address.withoutPassword,
        reason: code == ENOENT ? "'git' is not installed" : "'git' does not start: \(String(cString: strerror(code)))")
    }
    var status: Int32 = 0
    do {
      while waitpid(child, &status, WNOHANG) == 0 {
        try check()
        usleep(10_000)
      }
    } catch {
      kill(-child, SIGTERM)
      waitpid(child, &status, 0)
      throw error
    }
    return status
  }
}

import CProcess
import Foundation

/// The files, variables and processes that a confined program can use.
///
/// The program can read only the files of the system, of tools in the home folder, of its own folder and of
/// ``readable``. It has no network unless ``hasNetwork`` is set, no capabilities, an empty `/tmp` and an allow-list of variables, and all processes that
/// it started end with it and with the caller. ``ProgramResult/protection`` reports what the system did not enforce.
package struct ProgramSandbox: Hashable, Sendable {
  /// Absolute paths of more files and folders that the program can read.
  package var readable: [String] = []
  /// Absolute paths of existing folders that the program can change. A folder must not be inside another one.
  package var writable: [String] = []
  /// The maximum size of a file that the program writes, in bytes.
  package var fileBytes = 0
  /// The maximum number of processes and threads of the program. The system does not limit those of root.
  package var processes = 512
  /// Whether the program can connect to itself over 127.0.0.1.
  package var hasLoopback = false
  /// Whether the program can use the network of the system. The Unix sockets of other programs stay out of its reach.
  package var hasNetwork = false
  /// The strongest protection to use. Tests use a weaker one.
  package var strongest = SandboxProtection.full
  /// The weakest protection to accept. If the system does not allow it, the program is not started.
  package var weakest = SandboxProtection.unprotected

  package init() {}
}

/// The levels of protection of a confined program, strongest first.
package enum SandboxProtection: UInt32, CaseIterable, Sendable {
  /// A new root folder with only the files of the sandbox, in namespaces of its own.
  case full
  /// The same, but the program may see the processes of the system, because the system refuses a new `/proc`.
  case partial
  /// Landlock and a filter of system calls. The program shares `/proc` and the namespaces of the system.
  case landlock
  /// A filter of system calls and limits. The program can read all files of the user, and empty them.
  case unprotected

  var code: cprocess_protection { cprocess_protection(rawValue) }
}

extension ProgramResult {
  /// Returns a sentence about what the system did not enforce, or `nil` if the program was fully confined.
  package func weakness(of name: String) -> String? {
    let parts =
      (hadNetwork ? ["it had access to the network, because this system does not allow network namespaces"] : [])
      + [protection.weakness].compactMap { $0 }
    return parts.isEmpty ? nil : "\(name) ran without a part of its sandbox: \(parts.joined(separator: "; "))."
  }
}

extension SandboxProtection {
  fileprivate var weakness: String? {
    switch self {
    case .full: nil
    case .partial: "it could see the running processes, because this system does not allow a new /proc"
    case .landlock:
      "Landlock and a filter of system calls confined it, because this system does not allow user namespaces"
    case .unprotected:
      "it could read your files, empty files and create empty ones, because this system allows neither user namespaces nor Landlock"
    }
  }
}

extension ProgramSandbox {
  /// The variables that a confined program gets from the environment of the caller.
  private static let variableNames: Set = [
    "PATH", "HOME", "LANG", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
  ]

  var variables: [String: String] {
    ProcessInfo.processInfo.environment.filter { Self.variableNames.contains($0.key) || $0.key.hasPrefix("LC_") }
  }

  /// Programs and libraries, fonts, and the settings of both. `/etc` also contains secrets, so it is not listed as a
  /// whole.
  private static let systemFiles =
    [
      "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/run/current-system",
      "/home/linuxbrew/.linuxbrew", "/var/cache/fontconfig", "/var/lib/gems", "/var/lib/ghostscript",
    ]
    + [
      "alternatives", "fonts", "gemrc", "group", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types",
      "nsswitch.conf", "papersize", "passwd",
    ].map { "/etc/" + $0 }

  /// Tools and fonts in the home folder.
  private static let homeFiles = [
    ".asdf", ".cabal/bin", ".cache/fontconfig", ".config/fontconfig", ".fontconfig", ".fonts", ".fonts.conf",
    ".gem/ruby", ".linuxbrew", ".local/bin", ".local/lib", ".local/pipx", ".local/share/fonts",
    ".local/share/gem/ruby", ".local/share/mise", ".local/share/pipx", ".nix-profile", ".pyenv", ".rbenv", ".rvm",
    ".sdkman", "anaconda3",
    "miniconda3",
  ]

  /// Folders of which a program that lies in them gets only its own file.
  private static let sharedFolders = ["/", "/tmp", "/var/tmp", "/dev/shm", "/home", "/root", "/etc", "/var", "/run"]

  /// Returns the absolute paths that the program can read, without those below another one.
  package func readableFiles(of program: ExternalProgram, in folder: String?) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? ""
    var paths = Self.systemFiles + Self.homeFiles.map { "\(home)/\($0)" } + readable + (folder.map { [$0] } ?? [])
    paths += [("XDG_DATA_HOME", "fonts"), ("XDG_CACHE_HOME", "fontconfig"), ("XDG_CONFIG_HOME", "fontconfig")]
      .compactMap { name, child in environment[name].map { "\($0)/\(child)" } }
    paths += ["GEM_HOME", "GEM_PATH"].flatMap { environment[$0]?.split(separator: ":").map(String.init) ?? [] }
      .filter { $0 != home + "/.gem" }
    // A check can leave a link in a writable folder, which must not make the folder readable to which it leads.
    if !writable.contains(where: { program.path.hasPrefix($0 + "/") }) {
      paths += Self.files(of: program.path, home: home)
    }
    // A path through a symbolic link is listed with the path that the link leads to.
    paths += paths.compactMap(Self.resolved)
    return paths.filter { $0.hasPrefix("/") && $0.count > 1 }.sorted().reduce(into: []) { kept, path in
      if !kept.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) { kept.append(path) }
    }
  }

  /// Returns the path of a program without links in the path of its folder. In a new root folder these links are folders, and
  /// a program that looks for files next to itself would not find them.
  static func executable(at path: String) -> String {
    let folder = parent(path)
    return "\(resolved(folder) ?? folder)/\(path.suffix(from: path.lastIndex(of: "/") ?? path.startIndex).dropFirst())"
  }

  /// Returns the folders of a program and of the links that lead to it. If a folder is a `bin`, its parent is returned,
  /// because it also contains the libraries of the program. The parent of `~/.cargo/bin` or `~/go/bin` is not returned,
  /// because it also contains credentials and private sources.
  private static func files(of program: String, home: String) -> [String] {
    var found: [String] = []
    var path = executable(at: program)
    // Linux follows at most 40 links. Source: path_resolution(7).
    for _ in 0..<40 {
      let folder = parent(path)
      let isOwn = !isShared(folder, home)
      found.append(isOwn ? folder : path)
      let prefix = parent(folder)
      let holdsSecrets = prefix.hasPrefix(home + "/.") && parent(prefix) == home || prefix == home + "/go"
      if isOwn, folder.hasSuffix("/bin"), !isShared(prefix, home), !holdsSecrets { found.append(prefix) }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = executable(at: target.hasPrefix("/") ? target : "\(folder)/\(target)")
    }
    return found
  }

  private static func isShared(_ folder: String, _ home: String) -> Bool {
    sharedFolders.contains(folder) || home == folder || home.hasPrefix(folder + "/")
  }

  private static func parent(_ path: String) -> String {
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func resolved(_ path: String) -> String? {
    guard let name = realpath(path, nil) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }
}

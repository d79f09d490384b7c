import ExternalPrograms
import Foundation
import LearningModel

/// The files, variables and limits of the commands of exercises.
enum CheckSandbox {
  /// The folders of programming tools in the home folder that a check can read. The files in which the tools keep credentials, such
  /// as `~/.cargo/credentials.toml`, lie elsewhere.
  private static let toolFolders = [
    ".cargo/bin", ".cargo/registry", ".cargo/git", ".rustup", ".nvm", ".opam", ".deno/bin", ".bun/bin", ".ghcup",
    ".juliaup",
    ".swiftly", ".local/share/swiftly", "go/bin", "go/pkg", ".volta/bin", ".volta/tools",
  ]

  /// The beginnings of the names of settings in `/etc` that programming tools read.
  private static let toolSettings = ["java", "lua", "perl", "php", "python", "ruby"]

  /// The variables that a command gets from the environment of this process.
  private static let variableNames = [
    "PATH", "LANG", "TZ", "JAVA_HOME", "GOROOT", "RUSTUP_TOOLCHAIN", "PYENV_ROOT", "NVM_DIR", "ASDF_DIR", "SDKMAN_DIR",
  ]

  /// The maximum processor time of a command in seconds, if the author gives none.
  static let processorSeconds = 60
  /// The maximum duration of a command in seconds, if the author gives none.
  static let seconds = 180

  /// Returns the limits of a command.
  ///
  /// - Parameters:
  ///   - workFolder: The folder that the command can change, next to its home folder.
  ///   - seconds: The maximum duration that the author set, or `nil`.
  ///   - strongest: The strongest protection to use.
  ///   - weakest: The weakest protection to accept.
  static func limits(
    _ workFolder: String, home: String, seconds: Int?, strongest: SandboxProtection,
    weakest: SandboxProtection
  ) -> ProgramLimits {
    var sandbox = ProgramSandbox()
    let environment = ProcessInfo.processInfo.environment
    let settings = (try? FileManager.default.contentsOfDirectory(atPath: "/etc")) ?? []
    sandbox.readable =
      toolFolders.map { "\(environment["HOME"] ?? "")/\($0)" }
      + settings.filter { name in toolSettings.contains { name.hasPrefix($0) } }.map { "/etc/" + $0 }
    sandbox.writable = [workFolder, home]
    sandbox.fileBytes = 1 << 30
    sandbox.hasLoopback = true
    (sandbox.strongest, sandbox.weakest) = (strongest, weakest)
    let memory = Int(clamping: ProcessInfo.processInfo.physicalMemory / 2)
    var limits = ProgramLimits(
      processorSeconds: max(processorSeconds, seconds ?? 0), seconds: Double(seconds ?? Self.seconds), output: 0,
      sandbox: sandbox)
    limits.data = memory
    limits.total = TotalLimits(
      memory: memory, processes: sandbox.processes, folders: [workFolder, home], bytes: 2 << 30, files: 100_000)
    return limits
  }

  /// Returns the variables of a command.
  static func variables(home: String, recipe: Recipe?) -> [String: String] {
    let environment = ProcessInfo.processInfo.environment
    var variables = environment.filter { variableNames.contains($0.key) || $0.key.hasPrefix("LC_") }
    let user = environment["HOME"] ?? ""
    variables["HOME"] = home
    variables["TMPDIR"] = home + "/tmp"
    variables["TERM"] = "xterm-256color"
    variables["CARGO_HOME"] = home + "/.cargo"
    variables["RUSTUP_HOME"] = environment["RUSTUP_HOME"] ?? user + "/.rustup"
    variables["CARGO_NET_OFFLINE"] = "true"
    variables["GOPROXY"] = "off"
    for name in ["CARGO_TERM_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
      variables[name] = name.hasPrefix("CARGO") ? "always" : "1"
    }
    variables["PYTEST_ADDOPTS"] = "--color=yes"
    return variables.merging(recipe?.variables ?? [:]) { $1 }
  }
}

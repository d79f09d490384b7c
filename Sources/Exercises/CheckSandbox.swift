import ExternalPrograms
import Foundation
import LearningModel

/// The files, variables and limits of the commands of exercises.
enum CheckSandbox {
  /// The folders of programming tools in the home folder that a check can read. The files in which the tools keep credentials, such
  /// as `~/.cargo/credentials.toml`, and private packages are in other folders.
  private static let toolFolders = [
    ".cargo/bin", ".rustup", ".nvm", ".opam", ".deno/bin", ".bun/bin", ".ghcup", ".juliaup", ".swiftly",
    ".local/share/swiftly", "go/bin", ".volta/bin", ".volta/tools",
  ]

  /// The beginnings of the names of settings in `/etc` that programming tools read.
  private static let toolSettings = ["java", "lua", "perl", "php", "python", "ruby"]

  /// The variables that a command gets from the environment of this process.
  private static let variableNames = [
    "PATH", "LANG", "TZ", "JAVA_HOME", "GOROOT", "RUSTUP_TOOLCHAIN", "PYENV_ROOT", "NVM_DIR", "ASDF_DIR", "SDKMAN_DIR",
  ]

  /// The files in `/etc` that a program needs to use the network.
  private static let networkSettings = [
    "ca-certificates", "gai.conf", "host.conf", "hosts", "pki/ca-trust", "pki/tls/certs", "protocols", "resolv.conf",
    "services", "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf",
  ]

  /// The variables with the addresses of servers and with certificates that a command with the network gets.
  private static let networkVariables = [
    "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
    "GOPROXY", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_REGISTRY", "PIP_CERT", "PIP_INDEX_URL", "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR", "SSL_CERT_FILE",
  ]

  /// The maximum duration of a command in seconds, if the author gives none.
  static let seconds = 180

  /// Returns the limits of a command.
  ///
  /// - Parameters:
  ///   - workFolder: The folder that the command can change, next to its home folder.
  ///   - processorSeconds: The maximum processor time if the author set no duration.
  ///   - seconds: The maximum duration that the author set, or `nil`.
  ///   - strongest: The strongest protection to use.
  ///   - weakest: The weakest protection to accept.
  ///   - variables: The variables of the command.
  static func limits(
    _ workFolder: String, home: String, processorSeconds: Int, seconds: Int?, strongest: SandboxProtection,
    weakest: SandboxProtection,
    purpose: Exercise.Purpose, variables: [String: String]
  ) -> ProgramLimits {
    var sandbox = ProgramSandbox()
    let environment = ProcessInfo.processInfo.environment
    let settings = (try? FileManager.default.contentsOfDirectory(atPath: "/etc")) ?? []
    sandbox.readable =
      toolFolders.map { "\(environment["HOME"] ?? "")/\($0)" }
      + settings.filter { name in toolSettings.contains { name.hasPrefix($0) } }.map { "/etc/" + $0 }
    if purpose == .prepare {
      sandbox.hasNetwork = true
      sandbox.readable +=
        networkSettings.map { "/etc/" + $0 }
        + variables.filter { networkVariables.contains($0.key) && $0.value.hasPrefix("/") }.map(\.value)
    }
    sandbox.writable = [workFolder, home]
    sandbox.hasLoopback = true
    (sandbox.strongest, sandbox.weakest) = (strongest, weakest)
    let limit = seconds ?? (purpose == .prepare ? Exercise.Run.maximumSeconds : nil)
    let memory = Int(clamping: ProcessInfo.processInfo.physicalMemory / 2)
    var limits = ProgramLimits(
      processorSeconds: max(processorSeconds, limit ?? 0), seconds: Double(limit ?? Self.seconds), output: 0,
      sandbox: sandbox)
    limits.secondsToEnd = 1
    var total = TotalLimits(
      memory: memory, processes: sandbox.processes, folders: [workFolder, home], bytes: 2 << 30, files: 100_000)
    total.processorSeconds = limits.processorSeconds
    limits.total = total
    // The limits of one process are higher, so that the result names the limit that was exceeded.
    limits.data = memory + memory / 4
    limits.sandbox?.fileBytes = total.bytes + 1 << 20
    return limits
  }

  /// Returns the variables of a command.
  static func variables(
    _ workFolder: String, home: String, recipe: Recipe?, purpose: Exercise.Purpose
  ) -> [String: String] {
    let environment = ProcessInfo.processInfo.environment
    var variables = environment.filter { variableNames.contains($0.key) || $0.key.hasPrefix("LC_") }
    if purpose == .prepare {
      // An address with an "@" contains a password.
      variables.merge(
        environment.filter { networkVariables.contains($0.key.uppercased()) && !$0.value.contains("@") }
      ) { $1 }
    }
    let user = environment["HOME"] ?? ""
    variables["HOME"] = home
    variables["TMPDIR"] = home + "/tmp"
    variables["TERM"] = "xterm-256color"
    variables["CARGO_HOME"] = home + "/.cargo"
    // In the work folder, the hidden files of a build would be removed after each check, so that all is built again.
    variables["CARGO_TARGET_DIR"] = home + "/target" + workFolder
    variables["RUSTUP_HOME"] = environment["RUSTUP_HOME"] ?? user + "/.rustup"
    if purpose == .check { variables.merge(["CARGO_NET_OFFLINE": "true", "GOPROXY": "off"]) { $1 } }
    for name in ["CARGO_TERM_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
      variables[name] = name.hasPrefix("CARGO") ? "always" : "1"
    }
    // Tracks of Exercism mark tests with the number of a task, and declare the mark in a file outside the exercise.
    variables["PYTEST_ADDOPTS"] = "--color=yes --tb=short -W ignore::pytest.PytestUnknownMarkWarning"
    return variables.merging(recipe?.variables ?? [:]) { $1 }
  }
}

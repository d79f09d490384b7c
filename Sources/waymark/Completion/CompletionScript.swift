import ArgumentParser

/// What `--generate-completion-script` prints: the parser's script for a shell, and what it does not know. `waymark` alone
/// opens the browser, so the first word may be a place, or a flag of the browser.
struct CompletionScript: ParsableCommand {
  /// The same commands as the program's own. With the browser's flags; a place as an argument would be taken for what
  /// every command's name is.
  static let configuration = CommandConfiguration(
    commandName: Waymark.configuration.commandName, abstract: Waymark.configuration.abstract,
    version: Waymark.configuration.version, subcommands: Waymark.configuration.subcommands)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var look: BrowserLook

  /// Whether this is what is asked for.
  static func isAskedFor(_ arguments: [String]) -> Bool {
    arguments.first?.hasPrefix("--generate-completion-script") == true
  }

  /// Prints the script.
  ///
  /// - Throws: What the parser says of a shell that it does not know.
  static func write(for arguments: [String]) throws {
    do {
      _ = try parseAsRoot(arguments)
    } catch {
      guard exitCode(for: error).isSuccess else { throw error }
      var output = StandardOutput()
      output.write(withPlaces(fullMessage(for: error)) + "\n")
      output.flush()
    }
  }

  /// A script that offers places as the first word too.
  static func withPlaces(_ script: String) -> String {
    if script.hasSuffix(Bash.end) { return script.dropLast(Bash.end.count) + Bash.newEnd }
    if script.contains(Zsh.function) {
      return script.replacing(Zsh.function, with: Zsh.newFunction, maxReplacements: 1)
    }
    return script.contains(Fish.function) ? script + Fish.addition : script
  }

  private static let asking = "---completion browse -- positional@0"

  private enum Bash {
    static let end = "complete -o filenames -F _waymark waymark"
    static let newEnd = """
      _waymark_or_place() {
          _waymark "$@"
          local -r cur="${2}"
          if [[ "${COMP_CWORD}" -eq 1 && "${cur}" != -* ]]; then
              local -x SAP_SHELL=bash
              __waymark_add_completions -W "$(__waymark_custom_complete \(asking) 1 "${#cur}")"
          fi
      }

      complete -o filenames -F _waymark_or_place waymark
      """
  }

  private enum Zsh {
    /// The function that zsh calls, which has the name of its file.
    static let function = "\n_waymark() {\n"
    static let newFunction = """

      _waymark_place() {
          emulate -RL zsh -G
          setopt extendedglob nullglob numericglobsort
          unsetopt aliases banghist
          local -x SAP_SHELL=zsh
          local -r command_name="${words[1]}"
          local -ar command_line=("${words[@]}")
          __waymark_custom_complete \(asking) 1 "${#PREFIX}"
      }

      _waymark() {
          local ret=1
          if [[ "${CURRENT}" -eq 2 && "${words[2]}" != -* ]]; then _waymark_place && ret=0; fi
          _waymark_command "${@}" && ret=0
          return "${ret}"
      }

      _waymark_command() {

      """
  }

  private enum Fish {
    static let function = "function __waymark_custom_completion"
    static let addition = """

      complete -c 'waymark' -n 'test (count (commandline -poc)) -eq 1' \
      -fka '(__waymark_custom_completion \(asking) (count (__waymark_tokens -pc)) (__waymark_tokens -tC))'
      """
  }
}

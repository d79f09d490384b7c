import ArgumentParser

/// The output of `--generate-completion-script`: the argument parser's script for a shell, with additions for the
/// default command.
///
/// `waymark` alone opens the browser, so the first word may also be a place or a flag of the browser.
struct CompletionScript: ParsableCommand {
  /// The configuration of the program, used to generate the script. Includes the flags of the browser, but not its
  /// argument. With the argument, the parser would complete places instead of commands.
  static let configuration = CommandConfiguration(
    commandName: Waymark.configuration.commandName, abstract: Waymark.configuration.abstract,
    version: Waymark.configuration.version, subcommands: Waymark.configuration.subcommands)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var look: BrowserFlags
  @Flag(help: "Open a file or folder without saving it to the database.") var peek = false

  /// Returns whether the arguments request the script.
  static func isRequested(_ arguments: [String]) -> Bool {
    arguments.first?.hasPrefix("--generate-completion-script") == true
  }

  /// Prints the script.
  ///
  /// - Throws: The argument parser's error if it does not know the shell.
  static func write(for arguments: [String]) throws {
    do {
      _ = try parseAsRoot(arguments)
    } catch {
      guard exitCode(for: error).isSuccess else { throw error }
      var output = StandardOutput()
      output.write(completed(fullMessage(for: error)) + "\n")
      output.flush()
    }
  }

  /// Returns the script with additions: it also completes places as the first word, and the options of default
  /// subcommands.
  static func completed(_ script: String) -> String {
    if script.hasSuffix(Bash.end) {
      return withDefaults(script.dropLast(Bash.end.count) + Bash.newEnd) { "\n_waymark_\($0)() {\n" }
    }
    if script.contains(Zsh.function) {
      let script = script.replacing(Zsh.function, with: Zsh.newFunction, maxReplacements: 1)
      return withDefaults(script) { "\n_waymark_\($0)() {\n" }
    }
    guard script.contains(Fish.function) else { return script }
    return withDefaults(script + Fish.addition) { "case '\($0)'\n" }
  }

  /// Adds a call to `__waymark_insert_default` to the script of each command with a default subcommand. The call
  /// inserts the name of that subcommand into the command line.
  private static func withDefaults(_ script: String, beginning: (_ command: String) -> String) -> String {
    var script = script
    for command in configuration.subcommands {
      guard let defaultSubcommand = command.configuration.defaultSubcommand?.configuration.commandName,
        let name = command.configuration.commandName
      else { continue }
      let subcommands = command.configuration.subcommands.compactMap { $0.configuration.commandName }
      let call = "    __waymark_insert_default \(([defaultSubcommand] + subcommands).joined(separator: " "))\n"
      script = script.replacing(beginning(name), with: beginning(name) + call, maxReplacements: 1)
    }
    return script
  }

  private static let completionCall = "---completion browse -- positional@0"

  private enum Bash {
    static let end = "complete -o filenames -F _waymark waymark"
    static let newEnd = #"""
      # Inserts the default subcommand $1 into unparsed_words if no subcommand ($2...) is named.
      __waymark_insert_default() {
          local -r usual="${1}"
          shift
          local -ir last="$((${#unparsed_words[@]} - 1))"
          local -i index=0
          while [[ "${index}" -lt "${last}" ]]; do
              case "${unparsed_words[${index}]}" in
              --database|--learner)
                  index+=2
                  ;;
              *)
                  break
                  ;;
              esac
          done
          # The value of one of these options is typed.
          [[ "${index}" -gt "${last}" ]] && return
          if [[ "${index}" -eq "${last}" ]]; then
              [[ "${cur}" = -* ]] || COMPREPLY+=($(compgen -W "${*}" -- "${cur}"))
          elif [[ " ${*} " = *" ${unparsed_words[${index}]} "* ]]; then
              return
          fi
          unparsed_words=("${unparsed_words[@]:0:${index}}" "${usual}" "${unparsed_words[@]:${index}}")
      }

      _waymark_or_place() {
          _waymark "$@"
          local -r cur="${2}"
          if [[ "${COMP_CWORD}" -eq 1 && "${cur}" != -* ]]; then
              local -x SAP_SHELL=bash
              __waymark_add_completions -W "$(__waymark_custom_complete \#(completionCall) 1 "${#cur}")"
              __waymark_add_completions -f
          fi
      }

      complete -o filenames -F _waymark_or_place waymark
      """#
  }

  private enum Zsh {
    /// The beginning of the function that zsh calls. Zsh expects a function with the same name as the script file.
    static let function = "\n_waymark() {\n"
    static let newFunction = """

      # Inserts the default subcommand $1 into words if no subcommand ($2...) is named.
      __waymark_insert_default() {
          local -r usual="${1}"
          shift
          local -i index=2
          while (( index < CURRENT )); do
              case "${words[index]}" in
              --database|--learner)
                  (( index += 2 ))
                  ;;
              --database=*|--learner=*)
                  (( index += 1 ))
                  ;;
              *)
                  break
                  ;;
              esac
          done
          # The value of one of these options is typed.
          (( index > CURRENT )) && return
          if (( index == CURRENT )); then
              [[ "${PREFIX}" = -* ]] || compadd -- "${@}"
          elif (( ${@[(Ie)${words[index]}]} )); then
              return
          fi
          words=("${(@)words[1,index-1]}" "${usual}" "${(@)words[index,-1]}")
          (( CURRENT += 1 ))
      }

      _waymark_place() {
          emulate -RL zsh -G
          setopt extendedglob nullglob numericglobsort
          unsetopt aliases banghist
          local -x SAP_SHELL=zsh
          local -r command_name="${words[1]}"
          local -ar command_line=("${words[@]}")
          __waymark_custom_complete \(completionCall) 1 "${#PREFIX}"
          _files
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

      # Inserts the default subcommand into unparsed_tokens if no subcommand is named.
      function __waymark_insert_default -S -a usual
          set -l index 2
          while test "$index" -le (count $unparsed_tokens)
              switch $unparsed_tokens[$index]
                  case --database --learner
                      set index (math $index + 2)
                  case '--database=*' '--learner=*'
                      set index (math $index + 1)
                  case '*'
                      break
              end
          end
          contains -- "$unparsed_tokens[$index]" $argv[2..]; and return
          string match -q -- '-*' (commandline -t); or test "$index" -le (count $unparsed_tokens); or return
          set unparsed_tokens $unparsed_tokens[..(math $index - 1)] $usual $unparsed_tokens[$index..]
      end

      complete -c 'waymark' -n 'test (count (commandline -poc)) -eq 1' \
      -fka '(__waymark_custom_completion \(completionCall) (count (__waymark_tokens -pc)) (__waymark_tokens -tC))'
      """
  }
}

import Foundation

/// Measures the project against its targets, each next to a reference that is measured in the same run.
///
/// `Benchmark [--only renderer,screens,inputs,reading,store,exercises,program] [--long] [--seed N] [--program PATH] [--before PATH]`
/// prints a table per part, in Markdown. `--only store.step` selects a single table of a part. The exit status is always
/// 0; missed targets are marked in the tables.
@main struct Benchmark {
  @MainActor static func main() {
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    guard !options.answersSteps else {
      do { try StorePart.answerSteps(options) } catch { print(error) }
      return
    }
    print("# Benchmark\n")
    for line in Machine.description { print("- \(line)") }
    print("- seed \(options.seed)\(options.isLong ? ", the largest sizes" : "")\n")
    for (name, part) in parts where options.isAsked(for: name) {
      let start = ContinuousClock.now
      do {
        try part(options) {
          print($0.markdown)
          // Flushed so that each table is visible when it is ready, also in a file.
          fflush(nil)
        }
      } catch {
        print("## \(name)\n\nCould not be measured: \(error)\n")
      }
      print("Took \(start.duration(to: .now).formatted(.units(allowed: [.minutes, .seconds]))).\n")
    }
  }

  /// The parts of the benchmark. To add a part, write a function that passes its tables to the closure, and add it
  /// here.
  @MainActor private static let parts: [(String, @MainActor (Options, (Table) -> Void) throws -> Void)] = [
    ("renderer", RendererPart.run),
    ("screens", ScreensPart.run),
    ("inputs", InputsPart.run),
    ("reading", ReadingPart.run),
    ("store", StorePart.run),
    ("exercises", ExercisesPart.run),
    ("program", ProgramPart.run),
  ]
}

/// The command-line options.
struct Options {
  /// The names of the selected parts and tables. Empty for all parts.
  var parts: Set<String> = []
  /// Whether the largest sizes are measured too.
  var isLong = false
  /// The seed of all generated inputs.
  var seed: UInt64 = 2026
  /// The path of the release build of the program.
  var program = beside("waymark")
  /// The path of the benchmark of an earlier version. Its steps are measured in alternation with the steps of this
  /// version.
  var before: String?
  /// Whether to perform the steps that the benchmark of a later version asks for, instead of measuring.
  var answersSteps = false
  /// The path of the reference program for terminals.
  let terminalReference = beside("TerminalReference")

  init(_ arguments: [String]) {
    var remaining = arguments[...]
    while let word = remaining.popFirst() {
      switch word {
      case "--long": isLong = true
      case "--only": parts = Set((remaining.popFirst() ?? "").split(separator: ",").map(String.init))
      case "--seed": seed = remaining.popFirst().flatMap { UInt64($0) } ?? seed
      case "--program": program = remaining.popFirst() ?? program
      case "--before": before = remaining.popFirst()
      case "--answer-steps": answersSteps = true
      default: FileHandle.standardError.write(Data("Unknown argument '\(word)'; it is ignored.\n".utf8))
      }
    }
  }

  /// Returns the path of another program in the same build folder.
  private static func beside(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  /// Returns whether a part or one of its tables is selected.
  func isAsked(for part: String) -> Bool {
    parts.isEmpty || parts.contains { $0 == part || $0.hasPrefix("\(part).") }
  }

  /// Returns whether a table of a part is selected.
  func isAsked(for table: String, of part: String) -> Bool {
    parts.isEmpty || parts.contains(part) || parts.contains("\(part).\(table)")
  }
}

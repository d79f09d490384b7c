import Foundation

/// Measures the project against its targets, each beside a reference that is measured in the same run.
///
/// `Benchmark [--only renderer,screens,inputs,reading,store,program] [--long] [--seed N] [--program PATH]` prints one table a part, in
/// Markdown. Of the store and of the program a single table may be asked for: `--only store.step`. It always ends well:
/// what misses its target says so in the table.
@main struct Benchmark {
  @MainActor static func main() {
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    print("# Benchmark\n")
    for line in Machine.description { print("- \(line)") }
    print("- seed \(options.seed)\(options.isLong ? ", the largest sizes" : "")\n")
    for (name, part) in parts where options.isAsked(for: name) {
      let start = ContinuousClock.now
      do {
        try part(options) {
          print($0.markdown)
          // Each table is seen when it is ready, also in a file.
          fflush(nil)
        }
      } catch {
        print("## \(name)\n\nCould not be measured: \(error)\n")
      }
      print("Took \(start.duration(to: .now).formatted(.units(allowed: [.minutes, .seconds]))).\n")
    }
  }

  /// To add a part, write a function that hands over its tables as they are ready, and name it here.
  @MainActor private static let parts: [(String, @MainActor (Options, (Table) -> Void) throws -> Void)] = [
    ("renderer", RendererPart.run),
    ("screens", ScreensPart.run),
    ("inputs", InputsPart.run),
    ("reading", ReadingPart.run),
    ("store", StorePart.run),
    ("program", ProgramPart.run),
  ]
}

/// What was asked for.
struct Options {
  /// Names of the parts; all of them where empty.
  var parts: Set<String> = []
  /// Whether the largest sizes are measured too.
  var isLong = false
  /// What all inputs are made from.
  var seed: UInt64 = 2026
  /// The program, as it was built for release.
  var program = beside("waymark")
  /// What it is set beside.
  let terminalReference = beside("TerminalReference")

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--long": isLong = true
      case "--only": parts = Set((rest.popFirst() ?? "").split(separator: ",").map(String.init))
      case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? seed
      case "--program": program = rest.popFirst() ?? program
      default: FileHandle.standardError.write(Data("Unknown word '\(word)'; it is left out.\n".utf8))
      }
    }
  }

  /// The path of another program of this build.
  private static func beside(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  /// Whether anything of a part was asked for.
  func isAsked(for part: String) -> Bool {
    parts.isEmpty || parts.contains { $0 == part || $0.hasPrefix("\(part).") }
  }

  /// Whether that table of a part was asked for.
  func isAsked(for table: String, of part: String) -> Bool {
    parts.isEmpty || parts.contains(part) || parts.contains("\(part).\(table)")
  }
}

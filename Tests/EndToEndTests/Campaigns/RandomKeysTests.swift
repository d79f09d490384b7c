import Foundation
import Synchronization
import TerminalHarness
import TestSupport
import Testing

/// Random keys in the built browser: on all screens and overlays, in small and large terminals, with all start options,
/// with bursts and without, and on terminals that answer all, some or no queries.
///
/// `WAYMARK_RUNS`, `WAYMARK_RUN_SECONDS` and `WAYMARK_PARALLEL_RUNS` set the number of runs, their length, and how many
/// run at the same time. `WAYMARK_SEEDS` selects runs by their seeds. A failure contains the stack of the crash.
struct RandomKeysTests {
  private static let seconds = Tier.number("WAYMARK_RUN_SECONDS", usual: 2, long: 10)
  private static let parallelRuns = Tier.number("WAYMARK_PARALLEL_RUNS", usual: 2, long: 4)
  private static let seeds = Tier.seeds(
    (1...Tier.number("WAYMARK_RUNS", usual: 4, long: 300)).map(UInt64.init),
    long: 1..<UInt64(Tier.number("WAYMARK_RUNS", usual: 4, long: 300) + 1))

  @Test func `random keys never end the browser, and Ctrl-C always does`() throws {
    let folder = try TemporaryFolder()
    // The copy does not change if the program is built during a long campaign.
    let program = folder.file("waymark")
    try FileManager.default.copyItem(atPath: BuiltProgram.path, toPath: program)
    let remainingSeeds = Mutex(Self.seeds[...])
    let keys = Mutex(0)

    let failures = try together(
      (0..<Self.parallelRuns).map { _ in
        {
          var failures: [String] = []
          while let seed = remainingSeeds.withLock({ $0.popFirst() }) {
            let run = try RandomKeysRun(seed: seed, program: program)
            if let failure = try run.perform(seconds: Double(Self.seconds)) {
              // Printed at once, in case that the campaign is interrupted.
              print(failure)
              failures.append(failure)
            }
            keys.withLock { $0 += run.keyCount }
          }
          return failures
        }
      }
    ).flatMap(\.self)

    for failure in failures { Issue.record("\(failure.prefix { !$0.isNewline })") }
    print("\(Self.seeds.count) runs of \(Self.seconds) s, \(keys.withLock { $0 }) inputs, \(failures.count) failures")
  }
}

/// One run of random keys, which depends on its seed and on the speed of the machine.
private final class RandomKeysRun {
  private let seed: UInt64
  private let program: String
  private let home: HomeFixture
  private var random: SplitMix64
  private var terminal: PseudoTerminal
  private let (size, personality): ((columns: Int, rows: Int), Personality)
  private let arguments: [String]
  private let environment: [String: String]
  private let hasBursts: Bool
  private var starts = 0
  /// The last inputs, for the description of a failure.
  private var inputs: [String] = []
  private(set) var keyCount = 0

  init(seed: UInt64, program: String) throws {
    (self.seed, self.program) = (seed, program)
    random = SplitMix64(seed: seed)
    home = try HomeFixture(copying: Self.database)
    try home.write("# A file\n\nSome **words**.\n\n## Part\n\n- [ ] one\n", to: "course.md")
    try home.write("front\tback\n", to: "cards.tsv")
    size = [(20, 5), (80, 24), (500, 200), (120, 40), (40, 12)].randomElement(using: &random)!
    personality = [.modern, .old, .silent].randomElement(using: &random)!
    hasBursts = !random.oneIn(3)
    var arguments = Self.places.randomElement(using: &random)!
    var environment = [
      "TERM": ["xterm-256color", "xterm-kitty", "linux", "screen", "vt100"].randomElement(using: &random)!,
      // An editor that ends at once, with or without an error.
      "EDITOR": ["true", "false"].randomElement(using: &random)!,
    ]
    for (option, values) in Self.options where random.oneIn(2) {
      let value = values.randomElement(using: &random)!
      // `waymark review` has no such options.
      if arguments.first == "review" {
        environment["WAYMARK_" + option.uppercased().replacing("-", with: "_")] = value
      } else {
        arguments += ["--" + option, value]
      }
    }
    (self.arguments, self.environment) = (arguments, environment)
    terminal = try PseudoTerminal(columns: size.columns, rows: size.rows, personality: personality)
  }

  /// A database with courses, notes, bookmarks, progress and cards to review.
  private static let database = Result {
    try HomeFixture.original { home in
      try HomeFixture.walk(home)
      let lesson = "english-for-business/negotiating/opening-offers"
      for command in [
        ["import", Fixtures.path("epub/tea")], ["review", "add", "english-for-business"],
        ["notes", "add", "\(lesson)/read-the-brief", "A note."], ["bookmarks", "add", lesson],
        ["progress", "mark", "\(lesson)/read-the-brief", "done"],
      ] { _ = try home.waymark(command) }
    }
  }

  private static let places: [[String]] = [
    ["browse"], ["english-for-business"], ["english-for-business/negotiating/opening-offers"],
    ["english-for-business/negotiating/opening-offers/read-the-brief"],
    ["english-for-business/writing/tone/softer-please"],
    ["english-for-business/meetings/opening/agenda-anchor-action"], ["review"], ["review", "english-for-business"],
  ]

  private static let options: KeyValuePairs = [
    "symbols": ["ascii", "unicode", "auto"], "color": ["16", "256", "truecolor", "none"],
    "theme": ["dark", "light", "high-contrast", "high-contrast-light"], "motion": ["full", "reduced", "none"],
    "layout": ["cards", "list"], "mouse": ["on", "off"], "pictures": ["none", "blocks", "sixel", "kitty"],
    "frame-rate": ["1", "60", "240"],
  ]

  // MARK: - Inputs

  /// Keys that open screens and overlays, and the other commands.
  private static let commands = Array("1234/:?i,e\"ca#Mfm'vxrsUHLnp.w+-y{}bdugGjkhlN ").map(String.init)
  private static let keys = [
    "\r", "\r", "\r", "\u{1B}", "\u{1B}", "\t", "\u{1B}[Z", "\u{7F}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[B", "\u{1B}[C",
    "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[3~", "\u{1B}OP", "\u{1B}[1;3D", "\u{1B}[1;3C",
    "\u{15}", "\u{17}", "\u{0F}", "\u{01}", "\u{05}", "\u{0B}", "\u{0E}", "\u{10}", "\u{1B}x", "\u{1B}[I", "\u{1B}[O",
  ]
  private static let texts = [
    "offer", "anch", "bread and butter", "\"first offer", "after:monday kind:quiz", "kind:", "日本語", "e\u{301}\u{300}",
    "👩‍👩‍👧 🇺🇸", "يمن", "~/course.md\r", "~/\t\r", "cards.tsv\r", "/nowhere\r", ":add\r", ":settings\r", ":rename\r",
    ":remove\r", ":export\r", ":wrong answers\r", ":tour\r", ":import again\r", ":info\r", "4 \r", "4\r  f f",
    "a\u{1B}a", "\u{1B}[", "\u{1B}]11;rgb:00", "\u{1B}P", "\u{1B}[<35;9999;9999M", "\u{1B}[24;80R", "\u{1B}[?62c",
    "\u{FFFD}\u{0}", String(repeating: "x", count: 700),
  ]

  /// Sends one input to the browser.
  private func sendInput() {
    keyCount += 1
    switch random.below(20) {
    case 0..<8: type(Self.commands.randomElement(using: &random)!)
    case 8..<15: type(Self.keys.randomElement(using: &random)!)
    case 15: type(Self.texts.randomElement(using: &random)!)
    case 16:
      note("mouse")
      let (column, row, button) = (random.below(size.columns), random.below(size.rows), 1 + random.below(5))
      terminal.mouse(column: column, row: row, button: button)
      if random.oneIn(2) { terminal.mouse(column: random.below(size.columns), row: random.below(size.rows)) }
      terminal.mouse(column: column, row: row, button: button, down: false)
    case 17:
      note("paste")
      terminal.paste(Self.texts.randomElement(using: &random)! + "\n\tx\u{1B}y")
    case 18 where random.oneIn(4):
      let resized = random.oneIn(2) ? size : (1 + random.below(200), 1 + random.below(60))
      note("resize \(resized)")
      terminal.resize(columns: resized.0, rows: resized.1)
    default: type(String(Character(Unicode.Scalar(UInt8(0x20 + random.below(0x5F))))))
    }
  }

  private func type(_ text: String) {
    note(text.debugDescription)
    terminal.type(text)
  }

  private func note(_ input: String) {
    if inputs.count == 200 { inputs.removeFirst(100) }
    inputs.append(input)
  }

  // MARK: - Running

  private var stack: CrashStack { CrashStack(at: home.path("stack-\(starts).txt")) }

  private func start() throws {
    starts += 1
    inputs = []
    terminal = try PseudoTerminal(columns: size.columns, rows: size.rows, personality: personality)
    try terminal.launch(
      program, arguments, environment: home.environment.merging(environment.merging(stack.environment) { $1 }) { $1 },
      directory: home.folder)
  }

  /// Sends inputs for a number of seconds, and then quits.
  ///
  /// - Returns: The description of the failure, or `nil`.
  func perform(seconds: Double) throws -> String? {
    let end = ContinuousClock.now + .seconds(seconds)
    try start()
    while ContinuousClock.now < end {
      for _ in 0..<(hasBursts && random.oneIn(12) ? 20 + random.below(300) : 1) { sendInput() }
      terminal.pump(for: [0, 0, 0.001, 0.005, 0.02, 0.1, 0.3].randomElement(using: &random)!)
      guard let ending = terminal.ending else { continue }
      guard ending == .exited(0) else { return failure("\(ending)") }
      // A key has quit the browser.
      try start()
    }
    terminal.type("\u{3}")
    try? terminal.waitUntil("the end") { terminal.ending != nil }
    if let ending = terminal.ending {
      // Before the terminal is in raw mode, Ctrl-C is a signal.
      return [.exited(0), .signalled(Int(SIGINT))].contains(ending) ? nil : failure("\(ending)")
    }
    // A browser that hangs writes its stacks too, and continues after this signal.
    terminal.signal(SIGABRT)
    try? terminal.waitUntil("the stack") { stack.text?.contains("Backtrace took") == true }
    terminal.signal(SIGKILL)
    _ = try terminal.waitForExit()
    return failure("Ctrl-C is not answered")
  }

  private func failure(_ reason: String) -> String {
    """
    Run \(seed) failed: \(reason). \(size), \(arguments.joined(separator: " ")), \(environment), \
    answers: \(personality.answers), bursts: \(hasBursts)
    Last inputs: \(inputs.suffix(100).joined(separator: " "))
    \(stack.text ?? "No stack was written. The screen:\n\(terminal.text)")
    """
  }
}

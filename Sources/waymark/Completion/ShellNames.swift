import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The names that begin with what somebody is typing, for their shell to complete.
///
/// Nothing was asked for yet, so nothing is made and nothing said: where there is no database, or none that this
/// program can look into as it is, there are no names.
struct ShellNames {
  /// Seconds after which a shell is kept waiting no longer.
  private static let patience = 0.5

  /// Whether the program was started by a shell for its completions.
  ///
  /// Source: swift-argument-parser 1.8, `CommandParser.parseCustomCompletion`.
  static func areAskedFor(_ arguments: [String]) -> Bool { arguments.first == "---completion" }

  private let typed: String
  private let databasePath: String

  /// - Parameters:
  ///   - words: The words of the command line as the shell has them, with quotation marks.
  ///   - index: Which of them is being typed.
  ///   - typed: What of it stands before the cursor.
  init(words: [String], index: Int, typed: String) {
    // The parser takes the last word for the one that is typed; behind the cursor there may be others.
    self.typed = Self.plain(index < words.count - 1 ? words[index] : typed)
    databasePath = Self.databasePath(in: words) ?? ProgramEnvironment.current.databasePath
  }

  /// The places whose paths begin with what is typed, up to the end of a slug. Where there is one only, what it holds
  /// comes with it: the shell then ends the word only where nothing more can follow.
  func places() -> [String] {
    names { library in
      let found = try Self.children(goingOnWith: typed, in: library)
      guard found.count == 1, let only = found.first, !only.hasSuffix("/") else { return found }
      return found + (try Self.children(goingOnWith: only + "/", in: library))
    }
  }

  /// The courses whose paths begin with what is typed.
  func courses() -> [String] {
    names { library in typed.contains("/") ? [] : try Self.children(goingOnWith: typed, in: library) }
  }

  /// The learners whose names begin with what is typed.
  func learners() -> [String] {
    names { _ in
      try NavigationService(
        databaseAt: databasePath, learner: ProgramEnvironment.current.learnerName, session: .none
      ).learners().map(\.name).filter { $0.hasPrefix(typed) }.compactMap(Self.written)
    }
  }

  private static func children(goingOnWith typed: String, in library: CourseLibrary) throws -> [String] {
    let (above, beginning) =
      typed.lastIndex(of: "/").map { (typed[...$0], typed[typed.index(after: $0)...]) }
      ?? ("", typed[...])
    let place = try library.place(at: PlacePath(String(above))).place
    return try library.children(of: place).map(\.slug).filter { $0.hasPrefix(beginning) }.map { above + $0 }
  }

  // MARK: - Looking without touching

  private func names(_ ask: (CourseLibrary) throws -> [String]) -> [String] {
    guard let lock = TablesLock(at: databasePath) else { return [] }
    defer { lock.release() }
    Self.endAfterPatience()
    return (try? ask(CourseLibrary(databaseAt: databasePath))) ?? []
  }

  /// Whoever waits for a shell that waits for a database presses the key once more, and is angry.
  private static func endAfterPatience() {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      _exit(0)
    }
  }

  /// Returns a name as the shell's completion script reads it, or `nil` if it cannot be completed safely.
  ///
  /// Bash expands the words of `compgen -W`, so special characters are quoted for it.
  private static func written(_ name: String) -> String? {
    func isPlain(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || " ._-+@".contains(character)
    }
    guard CompletionShell.requesting == .bash else { return name.allSatisfy(isPlain) ? name : nil }
    guard name == name.harmless else { return nil }
    return name.map { isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
  }

  // MARK: - Words

  private static func databasePath(in words: [String]) -> String? {
    guard let index = words.lastIndex(where: { $0.hasPrefix("--database") }) else { return nil }
    let path =
      words[index] == "--database"
      ? words.dropFirst(index + 1).first
      : words[index].split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
    return path.map(plain).map { $0.hasPrefix("~/") ? ProgramEnvironment.current.home + $0.dropFirst() : $0 }
  }

  /// A word without the shell's quoting, which may be incomplete.
  ///
  /// Source: POSIX, Shell Command Language, 2.2 "Quoting".
  private static func plain(_ word: String) -> String {
    var plain = ""
    var quote: Character?
    var rest = word[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil): if let next = rest.popFirst() { plain.append(next) }
      case ("\\", "\""):
        guard let next = rest.first, "$`\"\\".contains(next) else {
          plain.append(character)
          continue
        }
        plain.append(next)
        rest.removeFirst()
      case ("'", nil), ("\"", nil): quote = character
      case (_, character): quote = nil
      default: plain.append(character)
      }
    }
    return plain
  }
}

// What a shell completes with names from the database; `Given` says what such an argument may be.

extension CompletionKind {
  /// Paths of places, level by level.
  static var places: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).places() } }
  /// Paths of courses.
  static var courses: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).courses() } }
  /// Names of learners.
  static var learners: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).learners() } }
}

/// Keeps the tables of a database as they are: a process that brings them up to date locks its folder first, and waits.
///
/// With it a database can be opened by one that may not change it. One of an older version is then not opened at all.
struct TablesLock {
  private let descriptor: Int32

  /// Takes the lock; `nil` where there is no database, or another process changes its tables just now.
  init?(at path: String) {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    var status = stat()
    guard stat(real, &status) == 0, status.st_size > 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let name = String(cString: real)
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // Others may look at the same time.
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Lets the tables go.
  func release() { close(descriptor) }
}

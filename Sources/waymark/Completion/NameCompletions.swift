import ArgumentParser
import CourseKit
import Foundation
import LearningModel
import LearningStore
import NavigationKit
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The names that complete a partly typed argument, for the shell's completion.
///
/// Completion must have no side effects. If there is no database, or it cannot be opened without an upgrade, the list
/// of names is empty.
struct NameCompletions {
  /// The maximum time in seconds that a shell waits.
  private static let timeout = 0.5

  /// Returns whether a shell started the program for its completions.
  ///
  /// Source: swift-argument-parser 1.8, `CommandParser.parseCustomCompletion`.
  static func isRequested(_ arguments: [String]) -> Bool { arguments.first == "---completion" }

  private let typedText: String
  private let databasePath: String

  /// - Parameters:
  ///   - arguments: The words of the command line as the shell passes them, with quotation marks.
  ///   - index: The index of the word that is being completed.
  ///   - typedText: The part of that word before the cursor.
  init(arguments: [String], index: Int, typedText: String) {
    // The parser assumes that the last word is being completed, but the cursor may be in an earlier word.
    self.typedText = Self.plain(index < arguments.count - 1 ? arguments[index] : typedText)
    let path = Self.databasePath(in: arguments) ?? ProgramEnvironment.current.databasePath
    databasePath = (try? LearningDatabase.path(named: path)) ?? path
  }

  /// Returns the paths that complete the typed text by one level. If only one place matches, the paths of its children
  /// are added, so that the shell appends a space only if the place has no children.
  func places() -> [String] {
    names { library in
      let matches = try Self.children(completing: typedText, in: library)
      guard matches.count == 1, let onlyMatch = matches.first, !onlyMatch.hasSuffix("/") else { return matches }
      return matches + (try Self.children(completing: onlyMatch + "/", in: library))
    }
  }

  /// Returns the courses whose paths begin with the typed text.
  func courses() -> [String] {
    names { library in typedText.contains("/") ? [] : try Self.children(completing: typedText, in: library) }
  }

  /// Returns the learners whose names begin with the typed text.
  func learners() -> [String] {
    names { _ in
      try NavigationService(
        databaseAt: databasePath, learner: ProgramEnvironment.current.learnerName, session: .none
      ).learners.all().map(\.name).filter { $0.hasPrefix(typedText) }.compactMap(Self.written)
    }
  }

  private static func children(completing text: String, in library: CourseLibrary) throws -> [String] {
    let (parentPath, beginning) =
      text.lastIndex(of: "/").map { (text[...$0], text[text.index(after: $0)...]) }
      ?? ("", text[...])
    let place = try library.place(at: PlacePath(String(parentPath))).place
    return try library.children(of: place).map(\.slug).filter { $0.hasPrefix(beginning) }.map { parentPath + $0 }
  }

  // MARK: - Looking without touching

  private func names(_ body: (CourseLibrary) throws -> [String]) -> [String] {
    guard let lock = MigrationLock(at: databasePath) else { return [] }
    defer { lock.release() }
    Self.exitAfterTimeout()
    return (try? body(CourseLibrary(databaseAt: databasePath))) ?? []
  }

  /// Exits the process after the maximum time, so that a locked database does not block the shell.
  private static func exitAfterTimeout() {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: timeout)
      _exit(0)
    }
  }

  /// Returns a name in the form that the shell's completion script can read, or `nil` if it cannot be completed safely.
  ///
  /// Bash expands the words of `compgen -W`, so special characters are quoted.
  private static func written(_ name: String) -> String? {
    func isPlain(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || " ._-+@".contains(character)
    }
    guard CompletionShell.requesting == .bash else { return name.allSatisfy(isPlain) ? name : nil }
    guard name == name.harmless else { return nil }
    return name.map { isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
  }

  // MARK: - Words

  private static func databasePath(in arguments: [String]) -> String? {
    guard let index = arguments.lastIndex(where: { $0.hasPrefix("--database") }) else { return nil }
    let path =
      arguments[index] == "--database"
      ? arguments.dropFirst(index + 1).first
      : arguments[index].split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
    return path.map(plain)
  }

  /// Returns a word without the shell's quoting, which may be incomplete.
  ///
  /// Source: POSIX, Shell Command Language, 2.2 "Quoting".
  private static func plain(_ word: String) -> String {
    var unquoted = ""
    var quote: Character?
    var remaining = word[...]
    while let character = remaining.popFirst() {
      switch (character, quote) {
      case ("\\", nil): if let next = remaining.popFirst() { unquoted.append(next) }
      case ("\\", "\""):
        guard let next = remaining.first, "$`\"\\".contains(next) else {
          unquoted.append(character)
          continue
        }
        unquoted.append(next)
        remaining.removeFirst()
      case ("'", nil), ("\"", nil): quote = character
      case (_, character): quote = nil
      default: unquoted.append(character)
      }
    }
    return unquoted
  }
}

// The completions with names from the database. `ArgumentParsers` validates the same arguments.

extension CompletionKind {
  /// Paths of places, level by level.
  static var places: Self { .custom { NameCompletions(arguments: $0, index: $1, typedText: $2).places() } }
  static var courses: Self { .custom { NameCompletions(arguments: $0, index: $1, typedText: $2).courses() } }
  static var learners: Self { .custom { NameCompletions(arguments: $0, index: $1, typedText: $2).learners() } }
}

/// A lock that prevents other processes from migrating a database. A migration first locks the database's folder
/// exclusively, so it waits until this lock is released.
///
/// While the lock is held, a database can be opened without migrating it. Opening a database with an older schema
/// fails.
struct MigrationLock {
  private let descriptor: Int32

  /// Acquires the lock. Returns `nil` if there is no database or another process is migrating it.
  init?(at path: String) {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    var status = stat()
    guard stat(real, &status) == 0, status.st_size > 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let name = String(cString: real)
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The lock is shared, so that several processes can complete names at the same time.
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Releases the lock.
  func release() { close(descriptor) }
}

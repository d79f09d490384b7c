import Foundation
package import LearningModel

/// The consent to run the commands of a course on this machine.
///
/// It belongs to a course, its source and the set of its commands. With the complete protection, the tests of an exercise may change
/// without a new question; otherwise their digests are part of the set. The consent to prepare is separate, and always includes
/// these digests, because they decide what is downloaded.
struct Trust: Sendable {
  private let folder: WorkFolder
  private let purpose: Exercise.Purpose

  /// - Parameter folder: The work folder of any exercise of the course.
  init(_ folder: WorkFolder, for purpose: Exercise.Purpose = .check) { (self.folder, self.purpose) = (folder, purpose) }

  /// Returns the digest of everything that would run.
  ///
  /// - Parameters:
  ///   - exercises: All exercises of the course.
  ///   - source: The address of the course's source.
  ///   - isComplete: Whether the system enforces the complete protection.
  static func digest(
    of exercises: [Exercise], source: String, isComplete: Bool, for purpose: Exercise.Purpose = .check
  ) -> String {
    var lines: Set<String> = []
    for exercise in exercises {
      for run in exercise.commands(for: purpose) { lines.insert(run.shownCommand(for: exercise)) }
      if !isComplete || purpose == .prepare {
        for file in exercise.files where file.role == .test || file.role == .support { lines.insert(file.digest) }
      }
    }
    return SourceDigest.digest(of: Array(([source] + lines.sorted()).joined(separator: "\0").utf8))
  }

  private var file: String { (purpose == .check ? "trust/" : "trust-prepare/") + folder.course }

  /// Returns whether the user has consented to a set of commands.
  ///
  /// - Throws: ``WorkFolderError``.
  func contains(_ digest: String) throws -> Bool {
    let bytes = try FolderHandle(folder.ownFolder)?.bytes(of: file) ?? []
    return bytes.split(separator: 0x0A).contains { $0.elementsEqual(digest.utf8) }
  }

  /// Stores or removes the consent. A later consent replaces the earlier one.
  ///
  /// - Throws: ``WorkFolderError``.
  func set(_ digest: String?) throws {
    let own = try FolderHandle(creating: folder.ownFolder)
    guard let digest else { return try own.remove(file) }
    try own.write(Array("\(digest)\n".utf8), to: file, isExecutable: false)
  }
}

extension Exercise.Run {
  /// The command as a person reads it, in one line of the shell.
  package func shownCommand(for exercise: Exercise) -> String {
    switch command {
    case .argv: arguments(for: exercise).map(\.shellWord).joined(separator: " ")
    case .shell: arguments(for: exercise)[2]
    }
  }

  /// Whether the command asks for the rights of the administrator. Such a command is shown and never run.
  package var needsAdministrator: Bool {
    switch command {
    case .argv(let arguments): ["sudo", "doas"].contains(arguments.first?.split(separator: "/").last)
    case .shell(let line): line.split { !$0.isLetter }.contains { $0 == "sudo" || $0 == "doas" }
    }
  }
}

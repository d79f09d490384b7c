import Foundation
package import LearningModel

/// The folder in which a learner works on an exercise.
///
/// The files to edit belong to the learner and are never overwritten. The program itself writes only below the folder, and
/// follows no symbolic link there, because a check or a tool may have left one.
package struct WorkFolder: Sendable {
  /// The folder of the work folders of all courses.
  package let root: String
  /// The key of the course.
  package let course: String
  /// The path of the exercise within the course, or `nil` for a folder that the exercises of the course share.
  package let exercise: [String]?

  /// The result of ``update(_:content:)``.
  package struct Update: Hashable, Sendable {
    /// The files that were written for the first time.
    package var created: [String] = []
    /// The edited files that the author has changed. The learner's file stays.
    package var changedByAuthor: [String] = []
  }

  /// Refers to the work folder of an exercise. Creates nothing.
  ///
  /// - Parameters:
  ///   - root: The folder of all work folders.
  ///   - place: The path of the exercise.
  package init(root: String, place: PlacePath, workspace: Exercise.Workspace) {
    // A name that begins with a dot would be hidden, and could be `..`.
    let names = place.description.split(separator: "/").map { $0.hasPrefix(".") ? "_" + $0 : String($0) }
    self.root = root
    course = names.first ?? "_"
    exercise = workspace == .shared ? nil : Array(names.dropFirst())
  }

  /// The absolute path of the folder.
  package var path: String { ([root, course] + (exercise ?? [Self.sharedName])).joined(separator: "/") }

  /// The name of the shared folder. No check can write in the folder above it, where it could replace other folders by links. No
  /// slug contains an underscore.
  package static let sharedName = "_shared"

  /// The folder of the files that the program keeps for itself, which no check can see.
  var ownFolder: String { root + "/.waymark" }
  /// The home folder of the checks of the course, which they can write.
  var home: String { ownFolder + "/home/" + course }

  // MARK: - Updating

  /// Writes the files of an exercise that are missing or that the author has changed.
  ///
  /// An edited file is replaced only if it is equal to the file that was written before. Test and support files are written if
  /// their bytes differ, so that build tools rebuild nothing without a reason.
  ///
  /// - Parameters:
  ///   - exercise: The exercise, whose files have valid paths.
  ///   - content: Returns the bytes of a file.
  /// - Throws: ``WorkFolderError``, and the errors of `content`.
  package func update(_ exercise: Exercise, content: (ExerciseFile) throws -> [UInt8]) throws -> Update {
    try whileLocked { try update(exercise, in: $0, content: content) }
  }

  /// Calls a function with the folder. Meanwhile, no other program writes work folders and the record of originals.
  private func whileLocked<Result>(_ body: (FolderHandle) throws -> Result) throws -> Result {
    let own = try FolderHandle(creating: ownFolder)
    try own.lock(waiting: .seconds(5))
    return try withExtendedLifetime(own) { try body(FolderHandle(creating: path)) }
  }

  private func update(
    _ exercise: Exercise, in folder: FolderHandle, content: (ExerciseFile) throws -> [UInt8]
  ) throws -> Update {
    func write(_ bytes: [UInt8], to file: ExerciseFile) throws {
      try folder.lock()
      try folder.write(bytes, to: file.path, isExecutable: file.isExecutable)
    }
    let recipe = exercise.recipe.flatMap(Recipe.named)
    var (update, originals) = (Update(), try self.originals())
    for file in exercise.files where file.role != .solution {
      let old = try folder.bytes(of: file.path)
      if file.role == .edit {
        let digest = old.map(SourceDigest.digest)
        let written = originals[key(of: file)]
        if old != nil, digest != file.digest, digest != written {
          if let written, written != file.digest { update.changedByAuthor.append(file.path) }
          continue
        }
        if digest != file.digest { try write(content(file), to: file) }
        originals[key(of: file)] = file.digest
      } else {
        var bytes = try content(file)
        if file.role == .test, let recipe { bytes = recipe.enablingTests(in: bytes) }
        if old != bytes { try write(bytes, to: file) }
      }
      if old == nil { update.created.append(file.path) }
    }
    try save(originals)
    return update
  }

  /// Returns the digest of the learner's files, and whether one of them differs from the author's.
  ///
  /// - Throws: ``WorkFolderError``.
  package func state(of exercise: Exercise) throws -> (digest: String, isChanged: Bool) {
    let folder = try FolderHandle(path)
    return try exercise.edition { try folder?.bytes(of: $0.path) }
  }

  // MARK: - Starting again

  /// Moves the learner's files to a new folder of kept files, and writes the author's.
  ///
  /// - Returns: The folder of the kept files, for ``restore(_:from:)``. `nil` if no file differed from the author's.
  /// - Throws: ``WorkFolderError``, and the errors of `content`.
  package func startAgain(_ exercise: Exercise, content: (ExerciseFile) throws -> [UInt8]) throws -> String? {
    try whileLocked { folder in
      try folder.lock()
      let kept = ([ownFolder, "kept", course] + (self.exercise ?? []) + [UUID().uuidString]).joined(separator: "/")
      let isChanged = try state(of: exercise).isChanged
      if isChanged {
        let target = try FolderHandle(creating: kept)
        for file in exercise.files(.edit) {
          guard let bytes = try folder.bytes(of: file.path) else { continue }
          try target.write(bytes, to: file.path, isExecutable: file.isExecutable)
        }
        // On a full disk, the learner's files stay, because each is replaced at once.
        for file in exercise.files(.edit) {
          try folder.write(content(file), to: file.path, isExecutable: file.isExecutable)
        }
      }
      _ = try update(exercise, in: folder, content: content)
      return isChanged ? kept : nil
    }
  }

  /// Brings kept files back.
  ///
  /// - Throws: ``WorkFolderError``.
  package func restore(_ exercise: Exercise, from kept: String) throws {
    guard let source = try FolderHandle(kept) else { throw WorkFolderError.missing(kept) }
    try whileLocked { folder in
      try folder.lock()
      for file in exercise.files(.edit) {
        guard let bytes = try source.bytes(of: file.path) else { continue }
        try folder.write(bytes, to: file.path, isExecutable: file.isExecutable)
      }
    }
  }

  // MARK: - Hidden files

  /// Returns the hidden files and folders of the folder, at any depth, except those of the exercise. Hidden folders are not
  /// entered.
  package func hiddenFiles(of exercise: Exercise) throws -> Set<String> {
    let own = Set(
      exercise.files.flatMap { file in
        file.path.split(separator: "/").indices.map { file.path.split(separator: "/")[...$0].joined(separator: "/") }
      })
    return Set(try FolderHandle(path)?.hiddenPaths() ?? []).subtracting(own)
  }

  /// Removes hidden files that a check has made, because an editor outside the sandbox may run them.
  ///
  /// - Parameter before: The hidden files before the check.
  /// - Returns: The removed paths, sorted.
  /// - Throws: ``WorkFolderError``.
  package func removeHiddenFiles(of exercise: Exercise, since before: Set<String>) throws -> [String] {
    let new = try hiddenFiles(of: exercise).subtracting(before).sorted()
    let folder = new.isEmpty ? nil : try FolderHandle(path)
    for path in new { try folder?.removeAll(path) }
    return new
  }

  // MARK: - The digests of the written files

  private var originalsFile: String { course + ".json" }

  private func key(of file: ExerciseFile) -> String { ((exercise ?? []) + [file.path]).joined(separator: "/") }

  private func originals() throws -> [String: String] {
    guard let bytes = try FolderHandle(ownFolder)?.bytes(of: "originals/" + originalsFile) else { return [:] }
    // A damaged file means that no file is known to be the author's, so that none is replaced.
    return (try? JSONDecoder().decode([String: String].self, from: Data(bytes))) ?? [:]
  }

  private func save(_ originals: [String: String]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // A dictionary of strings can always be encoded.
    let bytes = try Array(encoder.encode(originals))
    let folder = try FolderHandle(creating: ownFolder)
    if try folder.bytes(of: "originals/" + originalsFile) != bytes {
      try folder.write(bytes, to: "originals/" + originalsFile, isExecutable: false)
    }
  }
}

extension Recipe {
  /// Returns the bytes of a test file with all tests enabled.
  func enablingTests(in bytes: [UInt8]) -> [UInt8] {
    guard !replacements.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    return Array(replacements.reduce(text) { $0.replacingWords($1.skipping, with: $1.enabled) }.utf8)
  }
}

extension String {
  /// Replaces a text where it does not begin inside a word: `xit(`, but not the end of `exit(`.
  fileprivate func replacingWords(_ text: String, with replacement: String) -> String {
    guard text.first?.isLetter == true else { return replacing(text, with: replacement) }
    var parts = components(separatedBy: text)
    var result = parts.removeFirst()
    for part in parts {
      result += (result.last.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false ? text : replacement) + part
    }
    return result
  }
}

import Foundation
import LearningModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder that a command fills with files.
///
/// A list of the files in the folder is one of them. Only a folder with such a list is written again: files that are no
/// longer part of the output are then deleted, and files of others are kept.
final class FolderOutput {
  private static let list = ".waymark-export"

  private let path: String
  private let isNew: Bool
  private let previous: Set<String>
  private var written: [String] = []
  private var folders: Set<String> = []
  private var isFinished = false

  /// Creates the folder.
  ///
  /// - Parameters:
  ///   - path: The path of a folder that does not exist, that is empty or that a command has written.
  ///   - replacing: The treatment of an existing output.
  /// - Returns: `nil` if the user declines to replace the output.
  /// - Throws: ``CommandFailure/cannotCreate(file:reason:)`` or ``CommandFailure/exportExists(folder:)``.
  init?(_ path: String, replacing: OutputName.Replacing) throws {
    self.path = path
    isNew = mkdir(path, 0o755) == 0
    guard !isNew else {
      previous = []
      return
    }
    let reason = errno
    guard reason == EEXIST, let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw CommandFailure.cannotCreate(file: path, reason: reason == EEXIST ? "it is a file" : reason.systemMessage)
    }
    let list = entries.isEmpty ? "" : try? String(contentsOfFile: path + "/" + Self.list, encoding: .utf8)
    guard let list else {
      throw CommandFailure.cannotCreate(file: path, reason: "the folder contains other files")
    }
    previous = Set(list.split(separator: "\n").map(String.init))
    guard !entries.isEmpty, replacing != .always else { return }
    guard replacing == .asking, Confirmation.isPossible else { throw CommandFailure.exportExists(folder: path) }
    let question = "Replace the files of the last export in \(quoted: path)?"
    guard try Confirmation.ask(question, orFail: "replace \(quoted: path)") else { return nil }
  }

  deinit {
    guard isNew, !isFinished else { return }
    for file in written { unlink(path + "/" + file) }
    for folder in folders.sorted(by: >) { rmdir(path + "/" + folder) }
    rmdir(path)
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - file: The path of the file in the folder. Missing folders are created.
  ///   - bytes: The content.
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ file: String, _ bytes: [UInt8]) throws {
    let name = path + "/" + file
    for slash in file.indices where file[slash] == "/" && folders.insert(String(file[..<slash])).inserted {
      guard mkdir(path + "/" + file[..<slash], 0o755) == 0 || errno == EEXIST else { throw Self.failure(name) }
    }
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(name) }
    defer { close(descriptor) }
    written.append(file)
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = remaining.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress!, $0.count) }
      guard count >= 0 || errno == EINTR else { throw Self.failure(name) }
      remaining = remaining.dropFirst(max(0, count))
    }
  }

  /// Deletes the files of the previous output that were not written again, and writes the list of the files.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func finish() throws {
    let files = written
    // The list may have been edited, so paths that lead out of the folder are ignored.
    for file in previous.subtracting(files) where !file.split(separator: "/").contains("..") {
      unlink(path + "/" + file)
    }
    try write(Self.list, Array(files.sorted().map { $0 + "\n" }.joined().utf8))
    isFinished = true
  }

  private static func failure(_ file: String) -> CommandFailure {
    .cannotWrite(file: file, reason: errno.systemMessage)
  }
}

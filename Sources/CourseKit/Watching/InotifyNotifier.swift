#if canImport(Glibc)
import Glibc

/// Reports changes with inotify.
///
/// Source: inotify(7), inotify_add_watch(2).
final class InotifyNotifier: ChangeNotifier {
  let descriptor: Int32

  /// Enough for several hundred events: each has 16 bytes and a name of up to 256 bytes.
  private static let bufferSize = 64 << 10

  /// A file counts as saved when it is closed. Before that, it may be incomplete.
  private static let folderEvents =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

  init(for path: String) throws(CourseLibraryError) {
    // `IN_NONBLOCK` and `IN_CLOEXEC` have these values, but are not imported into Swift.
    descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, path) }
  }

  deinit { close(descriptor) }

  func follow(folder: String) throws(CourseLibraryError) {
    try follow(folder, Self.folderEvents)
  }

  func follow(attributesOf file: String) throws(CourseLibraryError) {
    try follow(file, UInt32(IN_ATTRIB))
  }

  private func follow(_ path: String, _ events: UInt32) throws(CourseLibraryError) {
    guard inotify_add_watch(descriptor, path, events) < 0, ![ENOENT, ENOTDIR].contains(errno) else { return }
    throw Self.failure(errno, path)
  }

  private static func failure(_ code: Int32, _ path: String) -> CourseLibraryError {
    // inotify returns these errors if the limit of watches or instances is reached.
    let isLimit = [ENOSPC, EMFILE].contains(code)
    return .cannotWatch(
      path: path,
      reason: isLimit
        ? "the limit of watched folders is reached. Raise 'fs.inotify.max_user_watches' and "
          + "'max_user_instances', or watch a smaller folder"
        : "the system reports '\(String(cString: strerror(code)).lowercased())'")
  }

  func takeChanges() -> [DiskChange] {
    var changes: [DiskChange] = []
    withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        changes += Self.changes(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    return changes
  }

  /// Returns the events in a buffer. An event has a header of 16 bytes, the last four of which contain the length of
  /// the name that follows.
  private static func changes(in buffer: UnsafeRawBufferPointer) -> [DiskChange] {
    var changes: [DiskChange] = []
    var start = 0
    while start + 16 <= buffer.count {
      let mask = buffer.load(fromByteOffset: start + 4, as: UInt32.self)
      let length = Int(buffer.load(fromByteOffset: start + 12, as: UInt32.self))
      let name = String(decoding: buffer[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }, as: UTF8.self)
      if let kind = kind(of: mask) { changes.append(DiskChange(kind: kind, name: name.isEmpty ? nil : name)) }
      start += 16 + length
    }
    return changes
  }

  private static func kind(of mask: UInt32) -> DiskChange.Kind? {
    func has(_ events: Int...) -> Bool { events.contains { mask & UInt32($0) != 0 } }
    if has(Int(IN_IGNORED)) { return nil }
    if has(Int(IN_ATTRIB)) { return .attributes }
    // If the queue has overflowed, the lost events may have been about folders.
    if has(Int(IN_ISDIR), Int(IN_Q_OVERFLOW), Int(IN_DELETE_SELF), Int(IN_MOVE_SELF)) { return .folders }
    // A file that was only created has no content yet.
    return has(Int(IN_CREATE)) ? nil : .file
  }
}
#endif

#if canImport(Darwin)
import Darwin

/// Reports changes with kqueue, which observes open files. Each folder and each file in it is therefore opened.
///
/// Source: kqueue(2), `EVFILT_VNODE`; open(2), `O_EVTONLY`.
final class KqueueNotifier: ChangeNotifier {
  let descriptor: Int32
  /// The descriptors of the followed files by path, and the paths by descriptor.
  private var opened: [String: Int32] = [:]
  private var paths: [Int32: String] = [:]
  private var folders: Set<String> = []

  init(for path: String) throws(CourseLibraryError) {
    descriptor = kqueue()
    guard descriptor >= 0 else { throw Self.failure(errno, path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    for file in opened.values { close(file) }
    close(descriptor)
  }

  func follow(folder: String) throws(CourseLibraryError) {
    folders.insert(folder)
    try follow(folder, NOTE_WRITE | NOTE_DELETE | NOTE_RENAME)
    guard let handle = opendir(folder) else { return }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), entry.pointee.d_type != DT_DIR else { continue }
      try follow(folder + "/" + name, NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME)
    }
  }

  func follow(attributesOf file: String) throws(CourseLibraryError) {
    try follow(file, NOTE_ATTRIB)
  }

  private func follow(_ path: String, _ events: Int32) throws(CourseLibraryError) {
    guard opened[path] == nil else { return }
    let file = open(path, O_EVTONLY | O_CLOEXEC)
    guard file >= 0 else {
      if [ENOENT, ENOTDIR].contains(errno) { return }
      throw Self.failure(errno, path)
    }
    var change = Darwin.kevent(
      ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: UInt32(events), data: 0,
      udata: nil)
    guard kevent(descriptor, &change, 1, nil, 0, nil) == 0 else {
      close(file)
      throw Self.failure(errno, path)
    }
    opened[path] = file
    paths[file] = path
  }

  private static func failure(_ code: Int32, _ path: String) -> CourseLibraryError {
    .cannotWatch(
      path: path,
      reason: code == EMFILE
        ? "it has more files than this program is allowed to open. Raise the limit with 'ulimit -n', or watch a "
          + "smaller folder"
        : "the system reports '\(String(cString: strerror(code)).lowercased())'")
  }

  func takeChanges() -> [DiskChange] {
    var changes: [DiskChange] = []
    var event = Darwin.kevent()
    var now = timespec()
    while kevent(descriptor, nil, 0, &event, 1, &now) == 1 {
      let file = Int32(event.ident)
      guard let path = paths[file] else { continue }
      let name = path.split(separator: "/").last.map(String.init)
      if event.fflags & UInt32(NOTE_ATTRIB) != 0 { changes.append(DiskChange(kind: .attributes, name: name)) }
      guard event.fflags & ~UInt32(NOTE_ATTRIB) != 0 else { continue }
      // The event does not contain the name of the added or removed file, so the caller has to list the folder.
      changes.append(DiskChange(kind: folders.contains(path) ? .folders : .file, name: name))
      if event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME) != 0 {
        close(file)
        opened[path] = nil
        paths[file] = nil
        folders.remove(path)
      }
    }
    return changes
  }
}
#endif

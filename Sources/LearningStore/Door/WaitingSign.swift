import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Shows every process that somebody waits for the database: a shared advisory lock on its folder, which goes with the
/// process that holds it.
///
/// The database's own files are not opened for it: closing them again would drop the locks that SQLite holds on them.
final class WaitingSign: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var isRaised = false
  }

  private let folder: String
  private let state = Mutex(State())

  init(for path: String) {
    folder = DatabaseFile.split(path).folder
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Says that somebody waits here. Where the folder cannot be locked nobody sees it, and everybody waits a little longer.
  func raise() {
    state.withLock { state in
      guard !state.isRaised, let descriptor = opened(&state) else { return }
      state.isRaised = flock(descriptor, LOCK_SH | LOCK_NB) == 0
    }
  }

  /// Nobody waits here any more.
  func lower() {
    state.withLock { state in
      guard state.isRaised else { return }
      flock(state.descriptor, LOCK_UN)
      state.isRaised = false
    }
  }

  /// Whether somebody waits, in this process or in another.
  var isRaisedBySomebodyElse: Bool {
    state.withLock { state in
      guard !state.isRaised, let descriptor = opened(&state) else { return false }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      flock(descriptor, LOCK_UN)
      return false
    }
  }

  private func opened(_ state: inout State) -> Int32? {
    if state.descriptor < 0 { state.descriptor = open(folder, O_RDONLY | O_CLOEXEC) }
    return state.descriptor < 0 ? nil : state.descriptor
  }
}

import Synchronization

/// The doors that are open in this process, so that all that open the same file have one pool.
enum OpenDoors {
  private struct Door {
    weak var store: LearningStore?
    let identity: DatabaseFile.Identity
  }

  private static let doors = Mutex<[String: Door]>([:])

  /// Returns the open door to that path, or the one that `open` makes.
  ///
  /// A file that was put in the place of another gets a door of its own.
  static func door(
    to path: String, else open: () throws(LearningStoreError) -> LearningStore
  ) throws(LearningStoreError) -> LearningStore {
    let result = doors.withLock { doors -> Result<LearningStore, LearningStoreError> in
      if let door = doors[path], let store = door.store, door.identity == DatabaseFile.identity(at: path) {
        return .success(store)
      }
      doors = doors.filter { $0.value.store != nil }
      do throws(LearningStoreError) {
        let store = try open()
        if let identity = DatabaseFile.identity(at: path) { doors[path] = Door(store: store, identity: identity) }
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

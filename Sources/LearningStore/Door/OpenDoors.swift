import Synchronization

/// The doors that are open in this process, so that all that open the same file have one pool.
enum OpenDoors {
  private struct Door {
    weak var store: LearningStore?
    let identity: DatabaseFile.Identity

    /// What is open, if the file at a path is still the one that was opened.
    func store(of path: String) -> LearningStore? { identity == DatabaseFile.identity(at: path) ? store : nil }
  }

  private static let doors = Mutex<[String: Door]>([:])

  /// Returns the open door to a path without symbolic links, if there is one.
  static func store(at path: String) -> LearningStore? { doors.withLock { $0[path] }?.store(of: path) }

  /// Returns the open door to that path, or the one that `open` makes.
  ///
  /// A file that was put in the place of another gets a door of its own.
  static func door(
    to path: String, else open: () throws(LearningStoreError) -> LearningStore
  ) throws(LearningStoreError) -> LearningStore {
    let result = doors.withLock { doors -> Result<LearningStore, LearningStoreError> in
      if let store = doors[path]?.store(of: path) { return .success(store) }
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

  /// Removes a store that was closed, so that the next open of its file makes another one.
  static func remove(_ store: LearningStore) {
    doors.withLock { doors in doors = doors.filter { $0.value.store !== store } }
  }
}

import LearningStore

/// Changes of a database by any program, as an asynchronous sequence.
///
/// An element means that something has changed since the previous element. It has no details: read again what you
/// display.
///
/// The sequence ends when its task is cancelled. It throws if the database can no longer be read, for example
/// ``NavigationError/database(_:)`` with the case `removed` if the file was deleted, emptied or replaced.
public struct DatabaseChanges: AsyncSequence, Sendable {
  /// A change, without its details.
  public typealias Element = Void
  /// The error that ends the sequence.
  public typealias Failure = NavigationError

  let interval: Duration
  let first: Int
  let number: @Sendable () throws(NavigationError) -> Int

  /// Creates an iterator over the changes since the sequence was created.
  public func makeAsyncIterator() -> Iterator { Iterator(interval: interval, known: first, number: number) }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    let interval: Duration
    var known: Int
    let number: @Sendable () throws(NavigationError) -> Int

    /// Waits for the next change.
    ///
    /// - Returns: `nil` after the task was cancelled.
    /// - Throws: ``NavigationError`` if the database can no longer be read.
    public mutating func next() async throws(NavigationError) -> Void? {
      try await next(isolation: nil)
    }

    /// Waits for the next change.
    ///
    /// - Returns: `nil` after the task was cancelled.
    /// - Throws: ``NavigationError`` if the database can no longer be read.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NavigationError) -> Void? {
      while true {
        guard (try? await Task.sleep(for: interval)) != nil else { return nil }
        let current = try number()
        guard current == known else {
          known = current
          return ()
        }
      }
    }
  }
}

extension DatabaseChanges {
  init(of store: LearningStore, every interval: Duration) throws(NavigationError) {
    let watch = try store.typed { try store.watch() }
    let number = { @Sendable () throws(NavigationError) -> Int in try store.typed { try watch.version() } }
    self.init(interval: interval, first: try number(), number: number)
  }
}

extension NavigationService {
  /// Returns a sequence of the changes of the database by any program, including this service, from now on.
  ///
  /// SQLite does not notify other processes of a change, so the sequence regularly compares a version number, which
  /// takes microseconds.
  ///
  /// - Parameter interval: The time between two checks.
  /// - Throws: ``NavigationError`` if the database cannot be read.
  public func changes(every interval: Duration = .milliseconds(250)) throws(NavigationError) -> DatabaseChanges {
    try DatabaseChanges(of: session.store, every: interval)
  }

  /// Returns a function that returns the version number of the database. The number differs after each change by any
  /// process, including this service. A call takes a few microseconds.
  ///
  /// - Throws: ``NavigationError`` if the database cannot be opened, or if steps are not recorded. The function throws
  ///   the same errors.
  package func changeNumber() throws(NavigationError) -> @Sendable () throws(NavigationError) -> Int {
    let watch = try session.store.typed { try session.store.watch() }
    return { [store = session.store] () throws(NavigationError) in
      try store.typed {
        if store.isScratch { try store.checkWritable() }
        return try watch.version()
      }
    }
  }
}

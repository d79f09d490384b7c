import LearningStore

extension NavigationService {
  /// Returns a function that numbers the states of the database: the number is another one after each change, whichever
  /// process makes it, this service too. Asking costs some microseconds.
  ///
  /// - Throws: ``NavigationError`` if the database cannot be opened or nothing is recorded; so does the function.
  package func changeNumber() throws -> @Sendable () throws -> Int {
    let watch = try Self.explaining { try store.watch() }
    return { [store] in
      try Self.explaining {
        if store.isScratch { try store.checkWritable() }
        return try watch.version()
      }
    }
  }

  /// Tells of changes of the database, whoever makes them: this service, another one, an import, another process.
  ///
  /// An element says that something has changed since the last one, not what: ask again for what is shown. Changes that
  /// come before an element is taken are one. SQLite tells no process of what another does, so it is asked at an
  /// interval, which costs microseconds; a front end with a loop of its own asks ``dataVersion()`` when it has input.
  ///
  /// - Parameter interval: How often to look.
  /// - Returns: A stream that ends when its task is cancelled, or when the database cannot be asked any more.
  /// - Throws: ``NavigationError`` where the database cannot be opened.
  public func changes(every interval: Duration = .milliseconds(250)) throws -> AsyncStream<Void> {
    let watch = try Self.explaining { try store.watch() }
    let first = try Self.explaining { try watch.version() }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task.detached(priority: .utility) {
        var known = first
        while (try? await Task.sleep(for: interval)) != nil, let version = try? watch.version() {
          if version != known { continuation.yield() }
          known = version
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

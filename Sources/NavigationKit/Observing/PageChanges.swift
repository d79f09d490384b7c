import LearningStore

/// The page of a place over time, as an asynchronous sequence.
///
/// The first element is the current page. Each further element is a page that differs from the previous element, read
/// after a change by any program. Pages in between are skipped if they are not awaited in time.
///
/// The sequence ends when its task is cancelled. It throws when the page cannot be read, for example
/// ``NavigationError/removedPlace(title:nearest:)`` after an import removed the place.
public struct PageChanges: AsyncSequence, Sendable {
  /// A page that differs from the previous element.
  public typealias Element = PlacePage
  /// The error that ends the sequence.
  public typealias Failure = NavigationError

  let places: CoursePlaces
  let place: PlaceName?
  let changes: DatabaseChanges

  /// Creates an iterator that begins with the current page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(places: places, place: place, changes: changes.makeAsyncIterator())
  }

  /// Waits for pages that differ from the previous page.
  public struct Iterator: AsyncIteratorProtocol {
    let places: CoursePlaces
    let place: PlaceName?
    var changes: DatabaseChanges.Iterator
    var shown: PlacePage?

    /// Returns the current page, then waits for one that differs from the previous element.
    ///
    /// - Returns: `nil` after the task was cancelled.
    /// - Throws: ``NavigationError`` if the database can no longer be read.
    public mutating func next() async throws(NavigationError) -> PlacePage? {
      try await next(isolation: nil)
    }

    /// Returns the current page, then waits for one that differs from the previous element.
    ///
    /// - Returns: `nil` after the task was cancelled.
    /// - Throws: ``NavigationError`` if the database can no longer be read.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NavigationError) -> PlacePage? {
      if Task.isCancelled { return nil }
      while true {
        if shown != nil, try await changes.next(isolation: actor) == nil { return nil }
        let page = try await BlockingWork.run { [places, place] () throws(NavigationError) in
          try places.session.store.typed { try places.page(of: place) }
        }
        if Task.isCancelled { return nil }
        guard page == shown else {
          shown = page
          return page
        }
      }
    }
  }
}

extension CoursePlaces {
  /// Returns a sequence that begins with the page of a place. Each further element is a page that differs from the
  /// previous one, after a change by any program.
  ///
  /// ```swift
  /// for try await page in try service.pages(of: "english-for-business/meetings") {
  ///   print(page.place.title)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The place. If `nil`, the learner's current place, which changes with each step of the session. If the
  ///     current place was removed from its course, the sequence continues with the nearest place that still exists.
  ///   - interval: The time between two checks for changes.
  /// - Throws: ``NavigationError`` if the database cannot be read.
  public func pages(
    of name: PlaceName? = nil, every interval: Duration = .milliseconds(250)
  ) throws(NavigationError) -> PageChanges {
    PageChanges(places: self, place: name, changes: try DatabaseChanges(of: session.store, every: interval))
  }
}

import LearningModel
import LearningStore

extension LearningStore {
  /// Calls a function and converts errors of the database. Other errors are thrown unchanged.
  ///
  /// - Parameter isWrite: Whether the function writes, so that the error `busy` is converted to
  ///   ``NavigationError/busy``.
  static func explaining<Answer>(writing isWrite: Bool = false, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as LearningDatabaseError {
      if isWrite, case .busy = error { throw NavigationError.busy }
      throw NavigationError.database(error)
    }
  }

  /// Calls a function and converts every error to ``NavigationError``. Errors of unexpected types become
  /// `LearningDatabaseError.unexpected`.
  func typed<Answer>(writing isWrite: Bool = false, _ body: () throws -> Answer) throws(NavigationError) -> Answer {
    do {
      return try Self.explaining(writing: isWrite, body)
    } catch let error as NavigationError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch is InvalidToken {
      throw .invalidToken
    } catch {
      throw .database(.unexpected(path: path, code: 0, detail: "\(error)"))
    }
  }
}

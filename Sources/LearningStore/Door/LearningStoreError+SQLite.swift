import GRDB
import LearningModel

extension LearningStoreError {
  /// Tells the errors of SQLite apart; every other error comes back as it is.
  ///
  /// Source: SQLite, "Result and Error Codes".
  static func explaining(_ error: any Error, at path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return LearningStoreError(error, at: path)
  }

  /// The same error in our words.
  init(_ error: DatabaseError, at path: String) {
    let detail = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .notADatabase(path: path)
    case .SQLITE_CORRUPT: self = .damaged(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_PERM, .SQLITE_AUTH: self = .noPermission(path: path)
    // The memory that the users of the write-ahead log share is a file too; where it cannot grow, this is all we hear.
    case .SQLITE_IOERR where DatabaseFile.isDiskFull(at: path),
      .SQLITE_CANTOPEN where DatabaseFile.isDiskFull(at: path):
      self = .diskFull(path: path)
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL: self = .inputOutput(path: path, detail: detail)
    case .SQLITE_CONSTRAINT: self = .ruleBroken(path: path, detail: detail)
    default: self = .unexpected(path: path, code: Int(error.extendedResultCode.rawValue), detail: detail)
    }
  }
}

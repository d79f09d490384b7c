import Foundation
import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The bytes of a picture that a course has; `nil` where none has it.
  ///
  /// - Parameter digest: What ``LearningModel/KeptPicture/digest`` says.
  public func picture(_ digest: String) throws -> [UInt8]? {
    let statement = try database.cachedStatement(sql: "SELECT bytes FROM picture WHERE digest = ?")
    return try Data.fetchOne(statement, arguments: [digest]).map { Array($0) }
  }

  /// Whether a course has the picture of that digest.
  public func hasPicture(_ digest: String) throws -> Bool {
    try value(Self.hasPictureText, digest) ?? false
  }

  /// The digests of the pictures that a course has, in their order.
  public func pictures(of course: NodeID) throws -> [String] {
    try all(Self.picturesText, course, as: { $0[0] as String })
  }

  private static let picturesText = StatementText(
    "SELECT digest FROM coursePicture WHERE course = ? ORDER BY digest")
  private static let hasPictureText = StatementText("SELECT EXISTS (SELECT 1 FROM picture WHERE digest = ?)")
}

extension StoreTransaction {
  /// Deletes the pictures that no course has.
  func removePicturesOfNoCourse() throws {
    try database.execute(sql: "DELETE FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture)")
  }
}

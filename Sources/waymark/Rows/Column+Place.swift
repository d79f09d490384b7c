import LearningModel
import NavigationService

extension Column {
  /// The columns that every list of places begins with: the title, and the path that opens it.
  static func places(_ place: @escaping (Row) -> NamedPlace) -> [Column] {
    [
      Column("title", mayShrink: true) { place($0).title },
      Column("kind") { place($0).kind.rawValue },
      Column("path") { place($0).path.description },
    ]
  }
}

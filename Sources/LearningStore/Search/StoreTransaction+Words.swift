import GRDB

extension StoreTransaction {
  /// Empties the index and queues every living node for it. The words beside it stay: indexing may run, and
  /// counts on those that were there.
  public func rebuildSearch() throws {
    try database.execute(
      sql: """
        INSERT INTO nodeSearch (nodeSearch) VALUES ('delete-all');
        DELETE FROM searchText;
        DELETE FROM searchQueue;
        INSERT INTO searchQueue (node, revision)
        SELECT id, revision FROM contentNode AS node JOIN course ON course.node = node.course WHERE node.living = 1;
        """)
  }
}

/// SQL statements for large histories, which tests write to the database directly.
public enum HistorySQL {
  /// Selects all nodes of all courses, oldest first: the id, the kind, and the `stack` of an event that opens the node,
  /// for example `[1,2,5]`.
  public static let places = """
    WITH RECURSIVE below (id, kind, stack) AS (
      SELECT id, kind, '[' || id FROM contentNode WHERE parent IS NULL
      UNION ALL
      SELECT node.id, node.kind, stack || ',' || node.id FROM contentNode AS node JOIN below ON node.parent = below.id)
    SELECT id, kind, stack || ']' FROM below ORDER BY id
    """
}

/// Statements for histories that are written past the service, since nobody takes that many steps.
public enum HistorySQL {
  /// Every node of every course, the oldest first: its id, its kind, and the `stack` of a step that leads to it, such as
  /// `[1,2,5]`.
  public static let places = """
    WITH RECURSIVE below (id, kind, stack) AS (
      SELECT id, kind, '[' || id FROM contentNode WHERE parent IS NULL
      UNION ALL
      SELECT node.id, node.kind, stack || ',' || node.id FROM contentNode AS node JOIN below ON node.parent = below.id)
    SELECT id, kind, stack || ']' FROM below ORDER BY id
    """
}

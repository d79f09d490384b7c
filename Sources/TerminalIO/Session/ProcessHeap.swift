import CTerminal

/// Where the process has its memory.
package enum ProcessHeap {
  /// From now on all threads take theirs from one heap.
  ///
  /// By itself glibc gives a thread a heap of its own, which grows page by page with a call of the system for each: a
  /// browser that searches on a thread beside its main one made some 170 such calls for each letter that was typed.
  ///
  /// Source: mallopt(3), M_ARENA_MAX.
  package static func share() { cterminal_heap_share() }
}

import CTerminal

/// The heap of the process.
package enum ProcessHeap {
  /// Makes all threads use a single heap.
  ///
  /// By default, glibc creates a heap for each thread, which grows page by page with a system call for each page. A
  /// browser that searches on a background thread made about 170 such calls for each typed letter.
  ///
  /// Source: mallopt(3), M_ARENA_MAX.
  package static func useSharedHeap() { cterminal_heap_share() }
}

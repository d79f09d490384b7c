import TextCanvas
import Testing

@Suite struct InputDescriptionTests {
  @Test(arguments: [
    (InputEvent.key(KeyEvent(.character("w"), modifiers: .control)), "Ctrl-W"),
    (.key(KeyEvent(.character("w"))), "w"),
    (.key(KeyEvent(.character("W"))), "W"),
    (.key(KeyEvent(.character("é"), modifiers: .alt)), "Alt-é"),
    (.key(KeyEvent(.character(" "))), "Space"),
    (.key(KeyEvent(.character(" "), modifiers: .control)), "Ctrl-Space"),
    (.key(KeyEvent(.tab, modifiers: .shift)), "Shift-Tab"),
    (.key(KeyEvent(.left, modifiers: [.control, .alt, .shift, .command])), "Ctrl-Alt-Shift-Cmd-Left"),
    (.key(KeyEvent(.function(12))), "F12"),
    (.key(KeyEvent(.pageDown, phase: .repeat)), "PageDown repeated"),
    (.key(KeyEvent(.escape, phase: .release)), "Esc released"),
    (.mouse(MouseEvent(.press(.left), at: CellPoint(column: 3, row: 4))), "Left button pressed at 3, 4"),
    (
      .mouse(MouseEvent(.drag(.other(11)), at: CellPoint(column: 0, row: 9), modifiers: .control)),
      "Ctrl-Number 11 button dragged at 0, 9"
    ),
    (.mouse(MouseEvent(.scroll(columns: 0, rows: -3), at: .zero)), "Scroll by 0, -3 at 0, 0"),
    (.mouse(MouseEvent(.move, at: .zero)), "Moved at 0, 0"),
    (.paste("two\u{1B}[31m words"), "Paste of 14 characters"),
    (.focus(true), "Focus gained"),
    (.focus(false), "Focus lost"),
    (.resize(CellSize(columns: 80, rows: 24)), "Resize to 80 × 24"),
  ])
  func `an input event has a readable description`(event: InputEvent, description: String) {
    #expect("\(event)" == description)
  }
}

import TerminalIO
import TextCanvas

var events: [String] = []

@MainActor func draw(on session: TerminalSession) {
  var surface = Surface(session.size, filledWith: .blank)
  surface.draw("Type text; Ctrl-D ends.", at: .zero)
  surface.draw(events.suffix(5).joined(separator: " "), at: CellPoint(column: 0, row: 1))
  session.present(Frame(surface: surface))
}

let session = try TerminalSession.open(TerminalOptions(title: "Keys")) { session, event in
  switch event {
  case .input(let input, _) where input.description == "Ctrl-D": session.close()
  case .input(let input, _): events.append(input.description)
  case .ending(let signal):
    session.close()
    signal.endProcess()
  case .frameDue, .capabilities, .resumed: break
  }
  draw(on: session)
}
draw(on: session)
try await session.closed()

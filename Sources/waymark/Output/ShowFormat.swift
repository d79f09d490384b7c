import ArgumentParser
import LearningModel

/// The ways in which `show` prints a place.
enum ShowFormat: String, CaseIterable, ExpressibleByArgument {
  case text, markdown, html, json
}

/// A place as JSON: what it is, and its content as Waymark's own files have it, or what it holds.
struct ShownPlace: Encodable {
  let place: PlaceReference
  let summary: String
  let content: ActivityContent?
  let children: [PlaceReference]

  private enum Key: String, CodingKey {
    case path, kind, title, summary, content, children
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(place.path, forKey: .path)
    try object.encode(place.kind, forKey: .kind)
    try object.encode(place.title, forKey: .title)
    try object.encode(summary, forKey: .summary)
    try object.encode(content, forKey: .content)
    try object.encode(children, forKey: .children)
  }
}

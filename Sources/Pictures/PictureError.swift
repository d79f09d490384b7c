/// Why a picture could not be read.
public enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It begins with bytes of no format that is read here; the first eight of them at most.
  case unknownFormat(picture: String, firstBytes: [UInt8])
  /// It has more pixels than it may have.
  case tooManyPixels(picture: String, width: Int, height: Int, limit: Int)
  /// Decoding it would take more bytes than it may.
  case tooMuchMemory(picture: String, bytes: Int, limit: Int)
  /// Its data end before the picture does.
  case cut(picture: String, format: PictureFormat, bytes: Int)
  /// Its data are wrong; in the words of the library that reads them.
  case broken(picture: String, format: PictureFormat, reason: String)
  /// It is of a kind that is not read, though its format is.
  case unreadableKind(picture: String, format: PictureFormat, kind: String)

  /// The words for a person.
  public var description: String {
    switch self {
    case .unknownFormat(let picture, let bytes) where bytes.isEmpty:
      "Could not read picture '\(picture)': it is empty. Put the picture there again."
    case .unknownFormat(let picture, let bytes):
      "Could not read picture '\(picture)': it begins with \(Self.hexadecimal(bytes)), "
        + "which is none of \(Self.formats). Save it as one of them."
    case .tooManyPixels(let picture, let width, let height, let limit):
      "Could not read picture '\(picture)': it is \(width) × \(height) pixels, and at most \(limit) in all are read. "
        + "Save it smaller."
    case .tooMuchMemory(let picture, let bytes, let limit):
      "Could not read picture '\(picture)': it takes \(bytes) bytes to decode, and at most \(limit) are given. "
        + "Save it smaller."
    case .cut(let picture, let format, let bytes):
      "Could not read picture '\(picture)': its \(format.rawValue) data end after \(bytes) bytes, "
        + "before the picture does. Get the whole file."
    case .broken(let picture, let format, let reason):
      "Could not read picture '\(picture)': its \(format.rawValue) data are broken: \(reason). "
        + "Save it again with a program that shows it."
    case .unreadableKind(let picture, let format, let kind):
      "Could not read picture '\(picture)': it is \(format.rawValue) of a kind that is not read: \(kind). "
        + "Save it as PNG."
    }
  }

  private static var formats: String { PictureFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}

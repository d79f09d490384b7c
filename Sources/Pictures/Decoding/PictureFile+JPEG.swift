import CJPEG

/// JPEG by libjpeg-turbo.
extension PictureFile {
  func factsOfJPEG() throws(PictureError) -> PictureFacts {
    let header = try headerOfJPEG()
    return facts(width: Int(header.width), height: Int(header.height))
  }

  func decodeJPEG(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    // The rows that are on the way through colours and sizes, and tables.
    let rows = 256 * facts.width + 1 << 20
    let extra = Int(clamping: try headerOfJPEG().coefficientBytes) + rows
    return try picture(facts, extra: extra, limits) { pixels throws(PictureError) in
      try check { message in
        cjpeg_decode(bytes.baseAddress, bytes.count, extra, pixels.baseAddress, pixels.count, message)
      }
    }
  }

  private func headerOfJPEG() throws(PictureError) -> cjpeg_facts {
    var header = cjpeg_facts()
    try check { message in cjpeg_read_facts(bytes.baseAddress, bytes.count, &header, message) }
    return header
  }

  private func check(_ read: (UnsafeMutablePointer<CChar>?) -> Int32) throws(PictureError) {
    var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
    let outcome = message.withUnsafeMutableBufferPointer { read($0.baseAddress) }
    switch UInt32(outcome) {
    case CJPEG_READ.rawValue: return
    case CJPEG_CUT.rawValue: throw cut
    default:
      throw broken(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}

import LibWebP

/// WebP by libwebp.
///
/// Source: libwebp, doc/api.md ("Advanced decoding API").
extension PictureFile {
  func factsOfWebP() throws(PictureError) -> PictureFacts {
    let features = try featuresOfWebP()
    return facts(width: Int(features.width), height: Int(features.height))
  }

  func decodeWebP(_ facts: PictureFacts, _ limits: PictureLimits) throws(PictureError) -> Picture {
    guard try featuresOfWebP().has_animation == 0 else {
      throw .unreadableKind(picture: name, format: format, kind: "an animation")
    }
    // Without loss, the decoder keeps a picture of its own, and with loss the alpha of one; then rows and tables.
    let extra = 4 * facts.width * facts.height + 256 * facts.width + 1 << 20
    return try picture(facts, extra: extra, limits) { pixels throws(PictureError) in
      var config = WebPDecoderConfig()
      WebPInitDecoderConfig(&config)
      config.output.colorspace = MODE_RGBA
      config.output.is_external_memory = 1
      config.output.u.RGBA.rgba = pixels.baseAddress
      config.output.u.RGBA.stride = Int32(4 * facts.width)
      config.output.u.RGBA.size = pixels.count
      try check(WebPDecode(bytes.baseAddress, bytes.count, &config))
    }
  }

  private func featuresOfWebP() throws(PictureError) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
    return features
  }

  private func check(_ status: VP8StatusCode) throws(PictureError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw cut
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw broken("it asks for what WebP does not have")
    case VP8_STATUS_OUT_OF_MEMORY: throw broken("there is no memory for it")
    default: throw broken("its bit stream makes no sense")
    }
  }
}

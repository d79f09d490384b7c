import LibSPNG

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PixelImage {
  /// The image as a PNG file with eight bits per channel. Opaque images have no alpha channel.
  ///
  /// Source: libspng 0.7, docs/encode.md.
  public var png: [UInt8] {
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
      preconditionFailure("There is not enough memory.")
    }
    defer { spng_ctx_free(context) }
    var header = spng_ihdr()
    header.width = UInt32(width)
    header.height = UInt32(height)
    header.bit_depth = 8
    header.color_type = UInt8((isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA).rawValue)
    spng_set_ihdr(context, &header)
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
    let components = isOpaque ? withoutAlpha : pixels
    let code = spng_encode_image(
      context, components, components.count, Int32(SPNG_FMT_PNG.rawValue), Int32(SPNG_ENCODE_FINALIZE.rawValue))
    var (count, error) = (0, Int32(0))
    guard code == 0, let bytes = spng_get_png_buffer(context, &count, &error) else {
      preconditionFailure(
        "Could not encode an image of \(width) × \(height) pixels as PNG: \(String(cString: spng_strerror(code))).")
    }
    defer { free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private var withoutAlpha: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 3 * width * height) { components, count in
      for pixel in 0..<width * height {
        for component in 0..<3 {
          components.initializeElement(at: 3 * pixel + component, to: pixels[4 * pixel + component])
        }
      }
      count = components.count
    }
  }
}

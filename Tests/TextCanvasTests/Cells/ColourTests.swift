import Testing
import TextCanvas

struct ColourTests {
  @Test(arguments: [
    (Colour.default, Colour.Kind.default), (.clear, .clear), (.indexed(200), .indexed(200)),
    (.rgb(1, 2, 3), .rgb(red: 1, green: 2, blue: 3)), (.hex(0xFFFF_8000), .rgb(red: 255, green: 128, blue: 0)),
  ])
  func `a colour keeps the values it was made from`(_ colour: Colour, _ kind: Colour.Kind) {
    #expect(colour.kind == kind)
  }

  @Test(arguments: [
    (Colour.hex(0xB8A6F5), ColourDepth.truecolor, Colour.hex(0xB8A6F5)),
    (.hex(0xB8A6F5), .indexed, .indexed(147)), (.hex(0x6ACDBF), .indexed, .indexed(79)),
    (.hex(0x4D5360), .indexed, .indexed(240)), (.hex(0xFFFFFF), .indexed, .indexed(231)),
    (.hex(0xFF0000), .ansi, .indexed(9)), (.indexed(231), .ansi, .indexed(15)), (.indexed(5), .ansi, .indexed(5)),
    (.hex(0xFF0000), .none, .default), (.clear, .none, .clear), (.default, .ansi, .default),
  ])
  func `a colour is replaced by the nearest one of a colour depth`(
    _ colour: Colour, _ depth: ColourDepth, _ nearest: Colour
  ) {
    #expect(colour.limited(to: depth) == nearest)
  }

  @Test func `colours of the cube and greys are not replaced`() {
    let changed = (UInt8(16)...255).filter { number in
      let same = Colour.hex(Colour.indexed(number).rgbNumber ?? 0).limited(to: .indexed)
      return same.rgbNumber != Colour.indexed(number).rgbNumber
    }

    #expect(changed == [])
  }
}

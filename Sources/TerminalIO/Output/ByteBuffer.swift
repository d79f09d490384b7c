/// Bytes to be written, in memory that is kept from frame to frame.
///
/// Appending to a Swift array byte by byte takes twice as long on large frames. The owner of the buffer frees it.
struct ByteBuffer {
  /// The bytes.
  private(set) var base: UnsafeMutablePointer<UInt8>
  /// How many there are.
  var count = 0
  private var capacity: Int
  /// The numbers 0…255 in decimal: three digits or fewer from the lowest byte on, and how many in the highest.
  private let decimals: UnsafeMutablePointer<UInt32>

  init(capacity: Int = 16_384) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
    decimals = .allocate(capacity: 256)
    for number in 0..<256 {
      let digits = Array(String(number).utf8)
      decimals[number] = digits.reversed().reduce(0) { $0 << 8 | UInt32($1) } | UInt32(digits.count) << 24
    }
  }

  func deallocate() {
    base.deallocate()
    decimals.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Makes room for so many bytes; the `write` methods below count on it.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if count + more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    new.update(from: base, count: count)
    base.deallocate()
    base = new
    capacity = larger
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  /// `ESC [`. Source: ECMA-48, 8.3.16 CSI.
  @inline(__always)
  mutating func writeCSI() {
    base[count] = 0x1B
    base[count &+ 1] = UInt8(ascii: "[")
    count &+= 2
  }

  /// A number in decimal, 0…99,999.
  @inline(__always)
  mutating func write(number: Int) {
    if number < 10 {
      write(0x30 &+ UInt8(truncatingIfNeeded: number))
      return
    }
    if number < 100 {
      write(0x30 &+ UInt8(truncatingIfNeeded: number / 10))
      write(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
      return
    }
    if number < 1000 {
      write(0x30 &+ UInt8(truncatingIfNeeded: number / 100))
      write(0x30 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
      write(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
      return
    }
    write(number: number / 100)
    write(0x30 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
    write(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
  }

  /// A number in decimal, 0…255; needs room for four bytes.
  @inline(__always)
  mutating func writeByte(_ number: UInt32) {
    let digits = decimals[Int(number & 255)]
    UnsafeMutableRawPointer(base + count).storeBytes(of: digits.littleEndian, as: UInt32.self)
    count &+= Int(digits >> 24)
  }

  /// `CSI number final`; the number is left out where it is 1, which every such sequence takes as its default.
  @inline(__always)
  mutating func writeSequence(_ number: Int, _ final: UInt8) {
    writeCSI()
    if number != 1 { write(number: number) }
    write(final)
  }

  /// Text; makes its own room.
  mutating func write(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    for index in 0..<text.utf8CodeUnitCount { write(text.utf8Start[index]) }
  }

  /// Text; makes its own room.
  mutating func write(_ text: String) {
    reserve(text.utf8.count)
    for byte in text.utf8 { write(byte) }
  }
}

/// How many digits a number has, 0…99,999.
@inline(__always)
func digits(_ number: Int) -> Int {
  number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5
}

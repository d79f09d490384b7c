/// Output bytes in memory that is reused from frame to frame.
///
/// Appending to a Swift array byte by byte takes twice as long for large frames. The owner of the buffer must
/// deallocate it.
struct ByteBuffer {
  /// The address of the bytes.
  private(set) var base: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  var count = 0
  private var capacity: Int
  /// The numbers 0…255 in decimal: up to three digits from the lowest byte on, and the number of digits in the highest
  /// byte.
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

  /// Reserves memory for additional bytes. Must be called before the `write` methods below.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if count + additional > capacity { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let larger = max(capacity * 2, count + additional)
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

  /// Writes `ESC [`. Source: ECMA-48, 8.3.16 CSI.
  @inline(__always)
  mutating func writeCSI() {
    base[count] = 0x1B
    base[count &+ 1] = UInt8(ascii: "[")
    count &+= 2
  }

  /// Writes a number in decimal, 0…99,999.
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

  /// Writes a number in decimal, 0…255. Four bytes must be reserved.
  @inline(__always)
  mutating func writeByte(_ number: UInt32) {
    let digits = decimals[Int(number & 255)]
    UnsafeMutableRawPointer(base + count).storeBytes(of: digits.littleEndian, as: UInt32.self)
    count &+= Int(digits >> 24)
  }

  /// Writes `CSI number final`. The number is omitted if it is 1, the default of all these sequences.
  @inline(__always)
  mutating func writeSequence(_ number: Int, _ final: UInt8) {
    writeCSI()
    if number != 1 { write(number: number) }
    write(final)
  }

  /// Writes text, and reserves the memory for it.
  mutating func write(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    for index in 0..<text.utf8CodeUnitCount { write(text.utf8Start[index]) }
  }

  /// Writes text, and reserves the memory for it.
  mutating func write(_ text: String) {
    reserve(text.utf8.count)
    for byte in text.utf8 { write(byte) }
  }
}

/// Returns the number of decimal digits of a number, 0…99,999.
@inline(__always)
func digits(_ number: Int) -> Int {
  number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5
}

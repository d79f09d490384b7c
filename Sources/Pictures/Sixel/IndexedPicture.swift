/// A picture whose pixels are numbers of colours in a table.
struct IndexedPicture {
  let width: Int
  let height: Int
  let table: ColourTable
  /// The number of each pixel's colour; -1 where it is transparent.
  let numbers: [Int16]

  /// Makes it of a picture whose pixels are opaque or transparent. Where the table has not every colour, what a pixel is
  /// off is given to its neighbours, so that areas have the right colour in the mean.
  ///
  /// Source: Floyd and Steinberg, "An Adaptive Algorithm for Spatial Grey Scale", 1976.
  init(_ picture: Picture) {
    width = picture.width
    height = picture.height
    var table = ColourTable(picture)
    var numbers = [Int16](repeating: -1, count: width * height)
    // What is given on, in sixteenths, to this row and the next; with a pixel more at both ends.
    var row = [Int](repeating: 0, count: 3 * (width + 2))
    var next = row
    picture.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<picture.height {
        swap(&row, &next)
        for index in next.indices { next[index] = 0 }
        for x in 0..<picture.width {
          let index = y * picture.width + x
          guard pixels[4 * index + 3] > 0 else { continue }
          let (red, green, blue) = (Int(pixels[4 * index]), Int(pixels[4 * index + 1]), Int(pixels[4 * index + 2]))
          if table.isExact {
            numbers[index] = Int16(table.number(ofExact: red, green, blue))
            continue
          }
          let place = 3 * (x + 1)
          let wanted = (
            max(0, min(255, red + (row[place] + 8) >> 4)), max(0, min(255, green + (row[place + 1] + 8) >> 4)),
            max(0, min(255, blue + (row[place + 2] + 8) >> 4))
          )
          let number = table.number(nearestTo: wanted.0, wanted.1, wanted.2)
          numbers[index] = Int16(number)
          let colour = table.colours[number]
          func give(_ part: Int, _ error: Int) {
            row[place + 3 + part] += 7 * error
            next[place - 3 + part] += 3 * error
            next[place + part] += 5 * error
            next[place + 3 + part] += error
          }
          give(0, wanted.0 - colour.red)
          give(1, wanted.1 - colour.green)
          give(2, wanted.2 - colour.blue)
        }
      }
    }
    self.table = table
    self.numbers = numbers
  }
}

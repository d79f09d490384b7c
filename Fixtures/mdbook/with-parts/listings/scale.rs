/// Metres on the ground for centimetres of paper.
// ANCHOR: metres
fn metres(centimetres: f64, scale: f64) -> f64 {
    // ANCHOR: sum
    centimetres * scale / 100.0
    // ANCHOR_END: sum
}
// ANCHOR_END: metres

fn main() {
    println!("{} m", metres(4.0, 25_000.0));
}

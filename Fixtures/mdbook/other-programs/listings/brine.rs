// ANCHOR: brine
fn brine(litres: f64) -> f64 {
    // ANCHOR_END: brine
    let salt = 0.02;
    // ANCHOR: brine
    litres * salt
}
// ANCHOR_END: brine

fn main() {}

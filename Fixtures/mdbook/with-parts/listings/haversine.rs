const EARTH_RADIUS: f64 = 6_371.0;

// ANCHOR: haversine
/// Kilometres between two points, each given as latitude and longitude in degrees.
fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (latitude, longitude) = (from.0.to_radians(), from.1.to_radians());
    let (to_latitude, to_longitude) = (to.0.to_radians(), to.1.to_radians());
    let height = ((to_latitude - latitude) / 2.0).sin().powi(2);
    let width = ((to_longitude - longitude) / 2.0).sin().powi(2);
    let h = height + latitude.cos() * to_latitude.cos() * width;
    2.0 * EARTH_RADIUS * h.sqrt().asin()
}
// ANCHOR_END: haversine

fn main() {
    let lisbon = (38.7, -9.1);
    let ghent = (51.1, 3.7);
    let way = distance(lisbon, ghent);
    println!("{way:.0} km");
}

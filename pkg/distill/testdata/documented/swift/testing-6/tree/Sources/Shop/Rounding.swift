func cents(_ x: Double) -> Int {
    Int(x)
}

public struct Cart {
    public func total() -> Int { cents(7.5) }
}

public struct Price {
    public func total(_ p: [Int]) -> Int { p.count }
}

import XCTest
@testable import Shop

final class PriceTests: XCTestCase {
    func testAdds() {
        XCTAssertEqual(Price().total([2, 4]), 6, "sum")
    }
    func testThrows() throws {
        throw CocoaError(.fileNoSuchFile)
    }
}

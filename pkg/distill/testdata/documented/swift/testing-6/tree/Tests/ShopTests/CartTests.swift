import XCTest
@testable import Shop

final class CartTests: XCTestCase {
    func testTotal() {
        XCTAssertEqual(Cart().total(), 8, "three teas")
    }
}

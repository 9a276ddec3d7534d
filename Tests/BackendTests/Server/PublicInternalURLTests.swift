import Reactor
import TestKit
import Testing

@testable import Backend
@testable import Settings

@Suite("The address for other servers")
struct PublicInternalURLTests {
    @Test(
        "is reported if it is public, unless INTERNAL_PUBLIC is on",
        arguments: [
            ("http://8.8.8.8:8081", "8.8.8.8"), ("http://[2606:4700::1111]:8081", "2606:4700::1111"),
            ("http://10.0.0.7:8081", nil),
            ("http://127.0.0.1:8081", nil), ("http://[fd00::7]:8081", nil), ("http://localhost:8081", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func address(url: String?, found: String?) async throws {
        var environment = ["INTERNAL_URL": url ?? ""]
        func find() async throws -> String? {
            let configuration = try ServerConfiguration(arguments: [], environment: environment)
            return await PublicInternalURL.find(configuration, on: TestLoops.next())?.description
        }
        #expect(try await find() == found)
        environment["INTERNAL_PUBLIC"] = "on"
        #expect(try await find() == nil)
    }
}

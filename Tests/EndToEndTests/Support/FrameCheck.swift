import TestKit
import Testing

@testable import API

/// The check of every frame that a test is sent by a room against the schemas in `/openapi.json`.
enum FrameCheck {
    private static let schemas = try? SchemaDocument(DocumentEndpoints.description)

    /// Returns the faults of a message from the server, in that version of the socket; empty if there are
    /// none.
    static func faults(_ text: String, version: Int) -> [String] {
        guard let schemas else { return ["/openapi.json cannot be read"] }
        let name = version == 2 ? "SocketServerMessage" : "SocketServerMessageV1"
        return schemas.faults(of: text, as: name)
    }

    /// Fails the test that is sent such a message.
    static func check(_ text: String, version: Int) {
        let faults = faults(text, version: version)
        if !faults.isEmpty { Issue.record("\(text) is not as /openapi.json says: \(faults)") }
    }
}

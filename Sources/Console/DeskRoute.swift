import Contract
package import Database
package import HTTP1
import HTTPServer

/// A route of the admin API: the one table behind the router, the description, and the check of roles.
package struct DeskRoute: Sendable {
    /// A member of the body.
    struct Member: Sendable {
        enum Kind: Sendable { case string, integer, object, time }

        let name: String
        let kind: Kind
        /// The most characters of a string.
        var length = 64
        var isRequired = true

        /// The bytes of the member in the largest body.
        var size: BodyMember {
            switch kind {
            case .string: .text(name, length)
            case .integer: .scalar(name)
            case .object: .word(name, 128)
            case .time: .word(name, BodyMember.instant)
            }
        }
    }

    package let method: HTTPMethod
    package let path: String
    /// The least role that may use it; nil: no sign-in is needed.
    package let role: OperatorRole?
    let summary: String
    let status: Int
    let body: [Member]
    /// The parameters of the query.
    let query: [String]
    let handler: Router.Handler

    /// The most bytes of the body; 0 for a route without one.
    var maximumBytes: Int { body.isEmpty ? 0 : BodyMember.maximumBytes(body.map(\.size)) }

    /// Whether it changes something.
    package var isWrite: Bool { method != .get }
}

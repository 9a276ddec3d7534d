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
        var isRequired = true
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

    /// Whether it changes something.
    package var isWrite: Bool { method != .get }
}

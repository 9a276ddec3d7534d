package import Contract

/// The registrations of a user that are neither over nor cancelled, where they are as many as one may have.
package struct OpenRegistrations: Equatable, Sendable {
    package var count: Int64
    package var allowed: Int
    /// When the first of them is over.
    package var firstEnd: Timestamp?
}

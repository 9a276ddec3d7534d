import Contract

/// The registrations of a user that are neither over nor cancelled, where they are as many as one may have.
struct OpenRegistrations: Equatable, Sendable {
    var count: Int64
    var allowed: Int
    /// When the first of them is over.
    var firstEnd: Timestamp?
}

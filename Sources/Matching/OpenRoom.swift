/// A room that has opened, with those who belong to it.
package struct OpenRoom<ID: Hashable & Sendable>: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let id: ID
        /// Whether this one has ever been inside: then it is not moved any more.
        package let hasEntered: Bool

        package init(id: ID, hasEntered: Bool) {
            self.id = id
            self.hasEntered = hasEntered
        }
    }

    package let id: ID
    package let members: [Member]

    package init(id: ID, members: [Member]) {
        self.id = id
        self.members = members
    }
}

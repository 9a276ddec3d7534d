/// A room that has opened, with those who belong to it.
package struct OpenRoom<ID: Hashable & Sendable>: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let id: ID
        /// Whether this one has ever been inside: then it is not moved any more while it has company.
        package let hasEntered: Bool
        /// Whether it was waited for long enough, and is not there. It is no company, and yet whoever it may
        /// not meet does not come into its room, since it may still turn up.
        package let isAbsent: Bool

        package init(id: ID, hasEntered: Bool, isAbsent: Bool = false) {
            self.id = id
            self.hasEntered = hasEntered
            self.isAbsent = isAbsent
        }
    }

    package let id: ID
    package let members: [Member]

    package init(id: ID, members: [Member]) {
        self.id = id
        self.members = members
    }
}

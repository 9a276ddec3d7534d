/// An open room with its members.
package struct OpenRoom<ID: Hashable & Sendable>: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let id: ID
        /// Whether the member has ever entered: then it is not moved any more while it has company.
        package let hasEntered: Bool
        /// Whether the member was waited for long enough, and is not there. It is no company, but people who
        /// may not meet it stay out of its room, since it may still turn up.
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

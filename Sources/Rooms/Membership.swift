package import Contract

/// Who belongs to a room, as the database says.
package struct Membership: Sendable {
    package struct Member: Sendable {
        /// The registration.
        package var id: Identifier
        package var user: Identifier
        /// The number of the user's token. Nothing gets in under an older one, or stays in.
        package var tokenVersion: Int32
        package var name: String
        package var task: String?
        package var tag: String?
        package var hasEntered: Bool

        package init(
            id: Identifier, user: Identifier, tokenVersion: Int32, name: String, task: String?, tag: String?,
            hasEntered: Bool
        ) {
            self.id = id
            self.user = user
            self.tokenVersion = tokenVersion
            self.name = name
            self.task = task
            self.tag = tag
            self.hasEntered = hasEntered
        }
    }

    package var room: Identifier
    /// Grows with every change of who is in it.
    package var revision: Int32
    package var opensAt: Timestamp
    package var startsAt: Timestamp
    package var closesAt: Timestamp
    /// How many ales are stored already.
    package var ales: Int64
    package var members: [Member]
    /// Where those went who were moved to another room, by their registration.
    package var moved: [Identifier: Identifier]
    /// It met on another server too: what an earlier process has left of it here may lack what happened
    /// there.
    package var wasElsewhere: Bool

    package init(
        room: Identifier, revision: Int32, opensAt: Timestamp, startsAt: Timestamp, closesAt: Timestamp,
        ales: Int64,
        members: [Member], moved: [Identifier: Identifier], wasElsewhere: Bool = false
    ) {
        self.room = room
        self.revision = revision
        self.opensAt = opensAt
        self.startsAt = startsAt
        self.closesAt = closesAt
        self.ales = ales
        self.members = members
        self.moved = moved
        self.wasElsewhere = wasElsewhere
    }
}

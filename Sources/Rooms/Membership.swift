package import Contract

/// The members of a room, as the database has them.
package struct Membership: Sendable {
    package struct Member: Sendable {
        /// The id of the registration.
        package var id: Identifier
        package var user: Identifier
        /// The user's tokens. Sockets that came in under another one are closed, and no more are let in.
        package var tokens: MemberTokens
        package var name: String
        package var task: String?
        package var tag: String?
        package var hasEntered: Bool
        /// The words of the member about the session, and a number that grows with every change of it.
        package var words: SessionWords
        package var wordsRevision: Int32
        /// Whether the member wants no ales. It does not change while the room is open.
        package var isQuiet: Bool

        package init(
            id: Identifier, user: Identifier, tokens: MemberTokens, name: String, task: String?, tag: String?,
            hasEntered: Bool, words: SessionWords = SessionWords(), wordsRevision: Int32 = 0,
            isQuiet: Bool = false
        ) {
            self.id = id
            self.user = user
            self.tokens = tokens
            self.name = name
            self.task = task
            self.tag = tag
            self.hasEntered = hasEntered
            self.words = words
            self.wordsRevision = wordsRevision
            self.isQuiet = isQuiet
        }
    }

    package var room: Identifier
    /// A number that grows with every change of the members.
    package var revision: Int32
    package var opensAt: Timestamp
    package var startsAt: Timestamp
    package var closesAt: Timestamp
    /// The number of ales that are stored already.
    package var ales: Int64
    package var members: [Member]
    /// The rooms to which members were moved, by registration.
    package var moved: [Identifier: Identifier]
    /// Whether the room was on another server too: a saved room of an earlier process here may then be
    /// incomplete.
    package var wasElsewhere: Bool
    /// The server that has the room in memory, if any has claimed it.
    package var owner: Identifier?
    /// The number of owners that the room has had.
    package var term: Int32
    /// Whether an operator has closed the room.
    package var isClosed: Bool

    package init(
        room: Identifier, revision: Int32, opensAt: Timestamp, startsAt: Timestamp, closesAt: Timestamp,
        ales: Int64,
        members: [Member], moved: [Identifier: Identifier], wasElsewhere: Bool = false,
        owner: Identifier? = nil, term: Int32 = 0, isClosed: Bool = false
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
        self.owner = owner
        self.term = term
        self.isClosed = isClosed
    }
}

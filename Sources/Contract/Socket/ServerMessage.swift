/// A message from the server in a room. Version 1 has only the first two, with no data in them.
public enum ServerMessage: Hashable, Sendable {
    /// The first message; nil in version 1.
    case handshake(Handshake?)
    /// Another member sent an ale; nil in version 1.
    case aleResponse(Ale?)
    /// The ale with that messageId has been given that number.
    case ack(messageId: String, seq: Int64)
    case presence(member: Identifier, present: Bool)
    /// A member says something at the start; nil if it was taken back.
    case checkIn(member: Identifier, checkIn: String?)
    /// A member says how the session went; nil if it was taken back.
    case outcome(member: Identifier, outcome: SessionOutcome?, note: String?)
    /// A member, also oneself, says what they are doing; nil if it was taken back.
    case status(member: Identifier, status: MemberStatus?)
    /// The match changed; the list has its current members.
    case members([Member])
    /// The match goes on in another room; close 4200 follows.
    case moved(id: Identifier, socketUrl: String)
    case roomClosed
    /// A message of the service's operators.
    case announcement(text: String, at: Timestamp)
    /// A message was dropped. The code is one of `SocketErrorCode`, or one that this version does not know.
    case error(code: String, detail: String, messageId: String?)
    /// A message of another type; clients ignore it.
    case unknown(type: String)

    public struct Handshake: Hashable, Sendable {
        public var room: Identifier
        /// The registration of the connected member.
        public var you: Identifier
        /// A short random text; numbers of ales are comparable only within the same epoch.
        public var epoch: String
        /// The number of the latest ale; 0 before the first.
        public var seq: Int64
        /// Whether every ale since the requested number follows.
        public var recovered: Bool
        public var now: Timestamp
        public var startsAt: Timestamp
        public var closesAt: Timestamp
        public var pingSeconds: Int64
        public var members: [Member]

        public init(
            room: Identifier, you: Identifier, epoch: String, seq: Int64, recovered: Bool, now: Timestamp,
            startsAt: Timestamp, closesAt: Timestamp, pingSeconds: Int64, members: [Member]
        ) {
            self.room = room
            self.you = you
            self.epoch = epoch
            self.seq = seq
            self.recovered = recovered
            self.now = now
            self.startsAt = startsAt
            self.closesAt = closesAt
            self.pingSeconds = pingSeconds
            self.members = members
        }
    }

    /// An ale of another member, or several of one member that were merged by back-pressure for a slow
    /// reader.
    public struct Ale: Hashable, Sendable {
        public var from: Identifier
        /// The number of the ale, or of the last one of several.
        public var seq: Int64
        /// The time of the ale, or of the last one of several.
        public var at: Timestamp
        /// The others of a merged message; nil for one ale.
        public var merged: Merged?

        /// The part of an ale's message that only connections with `merge=1` are sent.
        public struct Merged: Hashable, Sendable {
            /// The number of the first ale; those between it and `seq` may be of other members.
            public var first: Int64
            /// The number of ales, at least 1.
            public var count: Int64
            /// The position to come back with until the next message of an ale, if it is not `seq`: ales of
            /// other members with lower numbers are still to come.
            public var since: Int64?

            public init(first: Int64, count: Int64, since: Int64? = nil) {
                self.first = first
                self.count = count
                self.since = since
            }
        }

        /// The number of ales.
        public var count: Int64 { merged?.count ?? 1 }

        public init(from: Identifier, seq: Int64, at: Timestamp, merged: Merged? = nil) {
            self.from = from
            self.seq = seq
            self.at = at
            self.merged = merged
        }
    }
}

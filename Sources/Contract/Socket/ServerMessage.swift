/// A message of the server in a room. Version 1 has only the first two, without data.
public enum ServerMessage: Hashable, Sendable {
    /// The first message; nil in version 1.
    case handshake(Handshake?)
    /// Another member sent an ale; nil in version 1.
    case aleResponse(Ale?)
    /// The ale with that messageId has been given that number.
    case ack(messageId: String, seq: Int64)
    /// A member has entered or left the room.
    case presence(member: Identifier, present: Bool)
    /// A member has set a check-in; nil if it was cleared.
    case checkIn(member: Identifier, checkIn: String?)
    /// A member has set an outcome; nil if it was cleared.
    case outcome(member: Identifier, outcome: SessionOutcome?, note: String?)
    /// A member, possibly the user, has set a status; nil if it was cleared.
    case status(member: Identifier, status: MemberStatus?)
    /// The members of the room have changed; the list has all of them.
    case members([Member])
    /// The match continues in another room, or the room on another server. Close code 4200 follows.
    case moved(id: Identifier, socketUrl: String)
    /// The room has closed. Close code 1000 follows.
    case roomClosed
    /// A message of the operators.
    case announcement(text: String, at: Timestamp)
    /// The server has dropped a message. The code is a raw value of `SocketErrorCode`, or of a later version.
    case error(code: String, detail: String, messageId: String?)
    /// A message of a type that this version does not know. A client ignores it.
    case unknown(type: String)

    /// The first message of version 2: the room and its members.
    public struct Handshake: Hashable, Sendable {
        public var room: Identifier
        /// The registration of the connected member.
        public var you: Identifier
        /// The id of the log of ales: their numbers are comparable only within one epoch.
        public var epoch: String
        /// The number of the latest ale; 0 before the first.
        public var seq: Int64
        /// Whether every ale since the requested number follows. False if the epoch is another one.
        public var recovered: Bool
        /// The server's time.
        public var now: Timestamp
        /// The start of the slot.
        public var startsAt: Timestamp
        /// The end of the room.
        public var closesAt: Timestamp
        /// The seconds between two pings of the server.
        public var pingSeconds: Int64
        /// All members, the user included.
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

    /// An ale of another member, or several of one member that were merged for a slow reader.
    public struct Ale: Hashable, Sendable {
        /// The registration of the sender.
        public var from: Identifier
        /// The number of the ale, or of the last one of several.
        public var seq: Int64
        /// The time of the ale, or of the last one of several.
        public var at: Timestamp
        /// The others of a merged message; nil for one ale.
        public var merged: Merged?

        /// The members of the message that only a connection with `merge=1` receives.
        public struct Merged: Hashable, Sendable {
            /// The number of the first ale; numbers between it and `seq` can belong to other members.
            public var first: Int64
            /// The number of ales, at least 1.
            public var count: Int64
            /// The position for a reconnection before the next ale, if it is not `seq`: ales of other members
            /// with lower numbers follow.
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

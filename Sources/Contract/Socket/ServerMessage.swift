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
    /// The match changed; the list has its current members.
    case members([Member])
    /// The match goes on in another room; close 4200 follows.
    case moved(id: Identifier, socketUrl: String)
    case roomClosed
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

    public struct Ale: Hashable, Sendable {
        public var from: Identifier
        public var seq: Int64
        public var at: Timestamp

        public init(from: Identifier, seq: Int64, at: Timestamp) {
            self.from = from
            self.seq = seq
            self.at = at
        }
    }
}

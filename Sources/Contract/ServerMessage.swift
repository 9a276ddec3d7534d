/// What the server says in a room. Version 1 has only the first two, with nothing in them.
public enum ServerMessage: Hashable, Sendable {
    /// The first message; nil in version 1.
    case handshake(Handshake?)
    /// Another member cheered; nil in version 1.
    case aleResponse(Ale?)
    /// The ale with that messageId has that number.
    case ack(messageId: String, seq: Int64)
    case presence(member: Identifier, present: Bool)
    /// The match changed: who is in it now.
    case members([Member])
    /// The match goes on in another room; close 4200 follows.
    case moved(id: Identifier, socketUrl: String)
    case roomClosed
    /// A message was dropped. The code is one of `SocketErrorCode`, or one that is yet unknown.
    case error(code: String, detail: String, messageId: String?)
    /// Types are open: a client ignores those that it does not know.
    case unknown(type: String)

    public struct Handshake: Hashable, Sendable {
        public var room: Identifier
        /// The registration of the one who connected.
        public var you: Identifier
        /// A short random text: numbers of ales compare only within the same one.
        public var epoch: String
        /// The number of the last ale so far; 0 before the first.
        public var seq: Int64
        /// Whether every ale since the asked-for number follows.
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

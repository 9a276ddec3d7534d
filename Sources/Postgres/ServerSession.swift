/// The state of a session at the server.
struct ServerSession: Equatable, Sendable {
    /// The process of the server. Behind a pooler it is not the one that libpq knows.
    var processID: Int32 = 0
    /// Whether the session takes writes, as far as is known. One that does not is not lent again.
    private(set) var takesWrites = true
    /// Whether the session has refused a write: other sessions of that time may refuse them too.
    private(set) var hasTurnedReadOnly = false

    init() {}

    init(processID: Int32, takesWrites: Bool) {
        self.processID = processID
        self.takesWrites = takesWrites
    }

    mutating func refusedWrite() {
        hasTurnedReadOnly = true
        takesWrites = false
    }
}

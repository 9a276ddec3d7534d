/// A change of a queue. The messages of a queue are the sum of its changes, in memory as on disk.
enum OutgoingChange: Hashable, Sendable {
    case add(OutgoingMessage)
    /// The message was settled, cancelled or pushed out: it is not sent again.
    case remove(id: String)

    func apply(to messages: inout [OutgoingMessage]) {
        switch self {
        case .add(let message):
            if !messages.contains(where: { $0.id == message.id }) { messages.append(message) }
        case .remove(let id):
            if let index = messages.firstIndex(where: { $0.id == id }) { messages.remove(at: index) }
        }
    }
}

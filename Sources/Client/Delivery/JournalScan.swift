/// What a journal's bytes say.
enum JournalScan: Equatable {
    /// At the start of each journal; the last byte is the version of the form.
    static let signature = Array("lsqueue1".utf8)

    /// `length` bytes are good; what follows was never written completely, and is to be cut off.
    case messages([OutgoingMessage], length: Int)
    /// Neither a journal nor the beginning of one.
    case foreign
    /// Bytes are not as they were written.
    case damaged(at: Int)

    init(_ bytes: [UInt8]) {
        let written = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
        guard bytes.starts(with: Self.signature) else {
            // A crash came before the signature was written completely.
            let isTorn = Self.signature.starts(with: bytes[..<written])
            self = isTorn ? .messages([], length: 0) : .foreign
            return
        }
        var messages: [OutgoingMessage] = []
        var position = Self.signature.count
        while true {
            switch JournalRecord.read(bytes, at: position, written: written) {
            case .record(let changes, let end):
                for change in changes { change.apply(to: &messages) }
                position = end
            case .nothing, .torn:
                self = .messages(messages, length: position)
                return
            case .damaged:
                self = .damaged(at: position)
                return
            }
        }
    }
}

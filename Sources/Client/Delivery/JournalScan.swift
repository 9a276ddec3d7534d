/// The result of reading a journal's bytes.
enum JournalScan: Equatable {
    /// The bytes at the start of each journal; the last one is the version of the format.
    static let signature = Array("lsqueue1".utf8)

    /// The first `length` bytes are good; later bytes were never written completely, and are to be cut off.
    case messages([OutgoingMessage], length: Int)
    /// The bytes are neither a journal nor the beginning of one.
    case foreign
    /// The bytes differ from those written.
    case damaged(at: Int)

    init(_ bytes: [UInt8]) {
        let written = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
        guard bytes.starts(with: Self.signature) else {
            // A crash may have cut the signature short.
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

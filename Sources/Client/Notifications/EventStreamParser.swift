/// A parser that turns the bytes of an event stream into events (WHATWG HTML §9.2.6). Comments are skipped.
package struct EventStreamParser: Sendable {
    package enum Failure: Error, Equatable { case tooLarge(limit: Int) }

    /// The most bytes of one event, or of one line.
    package static let limit = 1024 * 1024

    /// The wait before a reconnection that the stream has requested.
    package private(set) var retryMilliseconds: Int?

    /// The id after which a reconnection resumes. It changes at the end of a block, so that an event that was
    /// cut off is sent again.
    package private(set) var lastID: String?

    /// Whether a block, which may be empty, has ended.
    package private(set) var hasBegun = false

    /// The id of the first block, if it has one and no data: the position of a stream that does not go on
    /// from the id that the client sent.
    package private(set) var firstID: String?

    private var id: String?
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var event = ""
    /// Whether the last byte was a carriage return: a line feed right after it ends no second line.
    private var followsReturn = false
    private var isFirstLine = true

    package init() {}

    /// Returns the events that these bytes complete.
    package mutating func receive(_ bytes: [UInt8]) throws(Failure) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where followsReturn:
                followsReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                followsReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                followsReturn = false
                line.append(byte)
                guard line.count + data.count <= Self.limit else { throw .tooLarge(limit: Self.limit) }
            }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        if line.isEmpty { return dispatch() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line[name.endIndex...].dropFirst()
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        take(String(decoding: name, as: UTF8.self), value)
        return nil
    }

    private mutating func take(_ name: String, _ value: ArraySlice<UInt8>) {
        switch name {
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data.append(contentsOf: value)
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if value.allSatisfy({ (0x30...0x39).contains($0) }) {
                retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? retryMilliseconds
            }
        default: break  // A comment, whose name is empty, or an unknown field.
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            data.removeAll()
            hasData = false
            event = ""
        }
        if !hasBegun, !hasData { firstID = id }
        hasBegun = true
        lastID = id
        guard hasData else { return nil }
        return ServerSentEvent(
            id: lastID, event: event.isEmpty ? "message" : event, data: String(decoding: data, as: UTF8.self))
    }
}

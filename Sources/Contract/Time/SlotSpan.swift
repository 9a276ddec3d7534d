/// The half-open interval of a slot.
public struct SlotSpan: Codable, Hashable, Sendable {
    public var startsAt: Timestamp
    public var endsAt: Timestamp

    public init(startsAt: Timestamp, endsAt: Timestamp) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

extension SlotSpan: JSONWritable {
    func write(json bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "{"))
        try bytes.append(member: "\"endsAt\":", endsAt)
        try bytes.append(member: "\"startsAt\":", startsAt)
        bytes.append(closing: UInt8(ascii: "}"))
    }
}

/// The answer of `GET /v1/slots`.
public struct SlotList: Codable, Hashable, Sendable {
    public var date: LocalDate
    public var timeZone: String
    public var slots: [SlotView]

    public init(date: LocalDate, timeZone: String, slots: [SlotView]) {
        self.date = date
        self.timeZone = timeZone
        self.slots = slots
    }
}

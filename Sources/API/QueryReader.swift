package import Contract
import Database
package import HTTP1

/// A reader of query parameters. An invalid one is refused by its name; unknown ones are ignored.
package struct QueryReader: Sendable {
    private let items: QueryItems

    package init(_ items: QueryItems) { self.items = items }

    /// Returns the number of entries that are asked for.
    package func limit() throws -> Int {
        let bounds = Limits.page
        return try read("limit", "a number from \(bounds.lowerBound) to \(bounds.upperBound)") { text in
            Self.number(text).flatMap { bounds.contains(Int($0)) ? Int($0) : nil }
        } ?? Limits.defaultPage
    }

    /// Returns the id of the last notification that the client knows; 0 if there is none.
    package func after() throws -> Int64 {
        try read("after", "the id of a notification, or 0", Self.number) ?? 0
    }

    /// Returns the id of a notification above all that are asked for; the maximum if it is missing.
    package func before() throws -> Int64 {
        try read("before", "the id of a notification", Self.number) ?? .max
    }

    /// Returns the order of the notifications.
    func order() throws -> NotificationOrder {
        try read("order", .anyOf(NotificationOrder.allCases.map(\.rawValue))) {
            NotificationOrder(rawValue: $0)
        } ?? .ascending
    }

    /// Returns the types of notifications that are asked for; nil if all are.
    func types() throws -> [NotificationType]? {
        try read("types", "names separated by commas, of \(NotificationType.names)") { text in
            try? NotificationType.list(text)
        }
    }

    /// Returns whether silence on a stream of events is broken by an event too.
    func asksForHeartbeat() throws -> Bool {
        try read(StreamHeartbeat.parameter, .anyOf([StreamHeartbeat.value])) {
            $0 == StreamHeartbeat.value ? true : nil
        } ?? false
    }

    package func time(_ name: String) throws -> Timestamp? {
        try read(name, "a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z") { text in
            Timestamp(Self.plus(text))
        }
    }

    package func state() throws -> RegistrationState? {
        let all = RegistrationState.allCases.map(\.rawValue).joined(separator: ", ")
        return try read("state", "one of \(all)") { RegistrationState(rawValue: $0) }
    }

    /// Returns whether the registrations of a routine stay when it is deleted.
    func keepsRegistrations() throws -> Bool {
        try read("registrations", "cancel or keep") { text in
            ["cancel", "keep"].contains(text) ? text == "keep" : nil
        } ?? false
    }

    /// Returns whether ales that wait for the socket are merged.
    func merge() throws -> Bool {
        try read("merge", "1, or 0") { ["0", "1"].contains($0) ? $0 == "1" : nil } ?? false
    }

    /// Returns the seconds between two pings of the socket.
    func ping() throws -> Int? {
        let bounds = Limits.pingSeconds
        return try read("ping", "a number of seconds from \(bounds.lowerBound) to \(bounds.upperBound)") {
            text in
            Self.number(text).flatMap { bounds.contains(Int(clamping: $0)) ? Int($0) : nil }
        }
    }

    func date() throws -> LocalDate? { try read("date", "a day like 2027-03-28") { LocalDate($0) } }

    /// Returns one of the lengths of slots.
    func minutes(among lengths: [Int]) throws -> Int? {
        try read("minutes", .anyOf(lengths.map { "\($0)" })) { text in
            Self.number(text).flatMap { number in lengths.first { Int64($0) == number } }
        }
    }

    /// Returns the cursor, as the list writes it.
    package func cursor<Value>(_ value: (String) -> Value?) throws -> Value? {
        try read("cursor", "the nextCursor of an earlier answer", value)
    }

    func timeZone(knownTo zones: TimeZones) throws -> String? {
        try read("timeZone", "an IANA name like Europe/Berlin") { text in
            let name = Self.plus(text)
            return zones.find(name) == nil ? nil : name
        }
    }

    /// Reads a parameter; nil if it is missing. A parameter that is given twice is refused.
    package func read<Value>(
        _ name: String, _ what: @autoclosure () -> Text, _ value: (String) -> Value?
    ) throws -> Value? {
        let texts = items.all(name)
        guard let text = texts.first else { return nil }
        guard texts.count == 1, let value = value(text) else {
            throw APIError(.unreadable, "The query parameter \(name) has to be \(what()), once.")
        }
        return value
    }

    /// Restores unescaped plus signs, which were read as spaces; neither times nor zones contain spaces.
    private static func plus(_ text: String) -> String { String(text.map { $0 == " " ? "+" : $0 }) }

    static func number(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}

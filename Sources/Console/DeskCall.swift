import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

/// A request of an operator who has signed in.
struct DeskCall: Sendable {
    let request: HTTPRequest
    let session: OperatorSession

    var account: Operator { session.account }

    /// Reads the body by a closure; an empty body is an object without members. All faults are refused at
    /// once.
    func read<Value>(_ members: (inout RequestReader) throws -> Value) throws -> Value {
        var reader = request.body.isEmpty ? RequestReader(.object([])) : try request.reader()
        let value = try members(&reader)
        try reader.finish()
        return value
    }

    /// Returns the number in the path; throws a 404 if it is none.
    func number() throws -> Int64 {
        guard let text = request.parameters.first, let number = Int64(text), number > 0 else {
            throw DeskCall.notFound
        }
        return number
    }

    func id() throws -> Identifier {
        try request.parameters.first.flatMap { Identifier($0) }.orThrow(DeskCall.notFound)
    }

    /// Returns the key of the slot in the path.
    func slot() throws -> Timestamp {
        try request.parameters.first.flatMap { Self.slotKey($0) }.orThrow(DeskCall.notFound)
    }

    /// Reads the key of a slot: its start, and the minutes after `/`, or `~` in a path; nil if it is none.
    static func slotKey(_ text: String) -> Timestamp? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "~" }
        guard let start = Timestamp(String(parts[0])), start.microseconds % 1_000_000 == 0 else { return nil }
        if parts.count == 1 { return start }
        guard parts.count == 2, let minutes = Int(parts[1]), (1...SlotKey.mostMinutes).contains(minutes)
        else { return nil }
        return SlotKey(startsAt: start, minutes: minutes).instant
    }

    static let notFound = APIError(.notFound, "There is nothing with that id.")

    // The query.

    private var query: QueryReader { QueryReader(request.query) }

    /// Whether a parameter of the query is empty. A form sends an empty field so; it counts as missing.
    private func isEmpty(_ name: String) -> Bool { request.query.all(name) == [""] }

    /// Reads a parameter of the query; nil if it is missing or empty. One that is given twice is refused.
    func parameter<Value>(_ name: String, _ what: Text, _ read: (String) -> Value?) throws -> Value? {
        isEmpty(name) ? nil : try query.read(name, what, read)
    }

    func limit() throws -> Int { isEmpty("limit") ? Limits.defaultPage : try query.limit() }

    private static let cursorWords: Text = "the nextCursor of an earlier answer"

    /// Returns a cursor that is a number below which the page begins.
    func before() throws -> Int64 {
        try parameter("cursor", Self.cursorWords) { Int64($0).flatMap { $0 > 0 ? $0 : nil } } ?? .max
    }

    func cursorID() throws -> Identifier? {
        isEmpty("cursor") ? nil : try query.cursor { Identifier($0) }
    }

    /// Returns a cursor that is a time.
    func cursorTime() throws -> Timestamp? {
        try parameter("cursor", Self.cursorWords) { Int64($0).flatMap { Timestamp(cursor: $0) } }
    }

    func cursor() throws -> DeskCursor<Identifier>? {
        try parameter("cursor", Self.cursorWords) { DeskCursor($0) }
    }

    /// Returns a text of at most 200 bytes without control characters.
    func text(_ name: String) throws -> String? {
        try parameter(name, "a text of up to 200 bytes, without control characters") { text in
            text.utf8.count <= 200 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                ? text : nil
        }
    }

    func time(_ name: String) throws -> Timestamp? { isEmpty(name) ? nil : try query.time(name) }

    func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Value.Type) throws
        -> Value?
    {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return try parameter(name, "one of \(words)") { Value(rawValue: $0) }
    }

    // Answers.

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        json(stored: value.text, status: status)
    }

    /// Returns an answer that the database has made.
    static func json(stored text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ], body: Array(text.utf8))
    }

    static func list(_ name: String, _ page: DeskPage) throws -> HTTPResponse {
        let rows = try page.rows.map { try JSONValue.parse(Array($0.utf8)) }
        var members = [(name: name, value: JSONValue.array(rows))]
        if let cursor = page.nextCursor { members.append(("nextCursor", .string(cursor))) }
        return json(.members(members))
    }
}

/// The callers that wait for a condition of the connection.
struct Watches {
    /// A condition: a result, or nil if it is not met yet.
    typealias Condition = @Sendable (isolated RoomConnection) -> Result<Void, ClientError>?

    struct Watch {
        let condition: Condition
        let continuation: CheckedContinuation<Result<Void, ClientError>, Never>
        /// The instant at which the caller gives up; nil for never.
        let deadline: Duration?
    }

    private(set) var waiting: [UInt64: Watch] = [:]
    private var next: UInt64 = 0

    var due: Duration? { waiting.values.compactMap(\.deadline).min() }

    mutating func makeNumber() -> UInt64 {
        next += 1
        return next
    }

    mutating func add(_ watch: Watch, _ number: UInt64) { waiting[number] = watch }

    mutating func remove(_ number: UInt64) -> Watch? { waiting.removeValue(forKey: number) }
}

/// The statements that a session keeps prepared, by their texts and the types of their parameters.
struct PreparedStatements {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private var names: [Key: String] = [:]
    private var lastNumber = 0
    /// The statement that is being prepared.
    private var pending: (key: Key, name: String)?

    var count: Int { names.count }

    subscript(key: Key) -> String? { names[key] }

    /// Returns a new name, under which the statement is to be prepared.
    mutating func begin(_ key: Key) -> String {
        lastNumber += 1
        let name = "s\(lastNumber)"
        pending = (key, name)
        return name
    }

    /// Keeps the statement that was being prepared, if there is one, unless preparing it failed.
    mutating func end(hasFailed: Bool) {
        if let pending, !hasFailed { names[pending.key] = pending.name }
        pending = nil
    }

    mutating func forget(_ keys: [Key]) {
        for key in keys { names[key] = nil }
    }
}

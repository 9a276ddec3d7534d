/// Waits until the condition holds, or the task is cancelled. Yields after each check.
///
/// Throws an error with the place after the limit of 60 seconds.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    try await wait(for: "true", file, line, condition) { $0 }
}

/// Waits until the value that is read equals the expected one. The error has the last value.
package func eventually<Value: Equatable>(
    equals expected: Value, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: Int = #line, _ read: () async throws -> Value
) async throws {
    try await wait(for: "\(expected)", file, line, read) { $0 == expected }
}

/// Waits until the value that is read is not below the bound. The error has the last value.
package func eventually<Value: Comparable>(
    atLeast bound: Value, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: Int = #line, _ read: () async throws -> Value
) async throws {
    try await wait(for: "at least \(bound)", file, line, read) { $0 >= bound }
}

private func wait<Value>(
    isolation: isolated (any Actor)? = #isolation, for expected: String, _ file: StaticString, _ line: Int,
    _ read: () async throws -> Value, until isExpected: (Value) -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while true {
        let value = try await read()
        if isExpected(value) { return }
        guard ContinuousClock.now < end else {
            throw TestError("\(file):\(line): \(expected) expected within 60 s, but it is \(value)")
        }
        try Task.checkCancellation()
        await Task.yield()
    }
}

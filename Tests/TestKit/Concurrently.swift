/// Calls the body for each of the elements, all at once, and returns the values as they come.
@discardableResult
package func concurrently<Elements: Sequence, Value: Sendable>(
    _ elements: Elements, _ body: @escaping @Sendable (Elements.Element) async throws -> Value
) async throws -> [Value] where Elements.Element: Sendable {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for element in elements { group.addTask { try await body(element) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

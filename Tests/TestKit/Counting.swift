package import Reactor

extension Lock where Value: BinaryInteger & Sendable {
    /// Adds one, and returns the sum.
    package func countUp() -> Value {
        withLock { count in
            count += 1
            return count
        }
    }
}

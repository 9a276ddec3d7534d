import Reactor

/// What came of a script, for who waits for the end of it.
struct ScriptOutcome: Sendable {
    private struct Unfinished: Error {}

    private let result = Lock<Result<[String], any Error>>(.failure(Unfinished()))

    func set(_ value: Result<[String], any Error>) { result.withLock { $0 = value } }

    var value: Result<[String], any Error> { result.withLock { $0 } }
}

import Reactor

/// The outcome of a script, for the caller that waits for its end.
struct ScriptOutcome: Sendable {
    private struct Unfinished: Error {}

    private let result = Lock<Result<[String], any Error>>(.failure(Unfinished()))

    func set(_ value: Result<[String], any Error>) { result.withLock { $0 = value } }

    var value: Result<[String], any Error> { result.withLock { $0 } }
}

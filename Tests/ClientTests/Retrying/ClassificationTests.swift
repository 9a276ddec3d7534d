import Client
import Contract
import Testing

@Suite("An error")
struct ClassificationTests {
    @Test(
        "is transient where the same call may succeed later",
        arguments: [
            (.network(""), true), (.timedOut, true), (.badAddress(""), false), (.unexpected(""), false),
            (.cancelled, false), (.queueFull(limit: 1), false), (.badMessage(""), false),
            (.storage(""), false), (.untrusted(""), false),
        ] as [(ClientError, Bool)])
    func cases(error: ClientError, isTransient: Bool) { #expect(error.isTransient == isTransient) }

    @Test("of the service is transient by its status and its name", arguments: ProblemName.allCases)
    func problems(name: ProblemName) {
        let transient: Set<ProblemName> = [
            .requestTimeout, .tooManyRequests, .quotaExceeded, .tooManyConnections, .tooManyStreams,
            .tooManyExports, .unavailable, .draining, .keyUnderWay,
        ]
        let error = ClientError.problem(Problem(name, detail: ""))
        #expect(error.isTransient == transient.contains(name))
    }
}

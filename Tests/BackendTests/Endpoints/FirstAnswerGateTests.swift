import Contract
import Testing

@testable import Backend
@testable import Push

@Suite struct FirstAnswerGateTests {
    private let gate = FirstAnswerGate()
    private let begun = Timestamp(seconds: 1_800_000_000)

    /// Returns the passes of three callers that wait behind a first one, which ends with `ending`.
    private func followers(of ending: FirstAnswerGate.Ending) async -> [FirstAnswerGate.Pass?] {
        let first = await gate.enter(at: begun)
        return await withTaskGroup(of: FirstAnswerGate.Pass?.self) { group in
            for _ in 0..<3 { group.addTask { await gate.enter(at: begun) } }
            while await gate.waitingCount < 3 { await Task.yield() }
            if let first { await gate.leave(first, ending, at: begun) }
            var passes: [FirstAnswerGate.Pass?] = []
            while let pass = await group.next() {
                passes.append(pass)
                if pass == .first { group.cancelAll() }
            }
            return passes
        }
    }

    @Test("one goes first, and all go once it is answered")
    func answered() async {
        #expect(await followers(of: .answered) == [.open, .open, .open])
        #expect(await gate.enter(at: begun) == .open)
    }

    @Test("where the first gets no answer, all who wait are told, and the next goes first again")
    func unanswered() async {
        #expect(await followers(of: .unanswered) == [nil, nil, nil])
        #expect(await gate.enter(at: begun) == .first)
    }

    @Test("where the first is given up another one takes its place, and waiting ends with its task")
    func unused() async {
        #expect(await followers(of: .unused) == [.first, nil, nil])
    }

    @Test("when nothing is under way for a minute one goes first again")
    func idle() async {
        _ = await followers(of: .answered)
        #expect(await gate.enter(at: begun.adding(.seconds(61))) == .open)
        for _ in 0..<4 { await gate.leave(.open, .answered, at: begun.adding(.seconds(1))) }
        #expect(await gate.enter(at: begun.adding(.seconds(61))) == .open)
        await gate.leave(.open, .answered, at: begun.adding(.seconds(61)))
        #expect(await gate.enter(at: begun.adding(.seconds(122))) == .first)
    }
}

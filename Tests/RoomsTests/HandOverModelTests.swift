import Testing

@Suite("A room that is handed to and fro")
struct HandOverModelTests {
    @Test(
        "loses and doubles no ale that was acknowledged, whatever happens", arguments: 0..<4 as Range<UInt64>
    )
    func held(part: UInt64) {
        for seed in part * 25..<(part + 1) * 25 {
            let violation = HandOverWorld(seed: seed).run()
            #expect(violation == nil, "seed \(seed)")
        }
    }

    @Test("does not keep that with a mistake, and the model notices it", arguments: HandOverMistake.allCases)
    func found(mistake: HandOverMistake) {
        let seed = (0..<100).first { HandOverWorld(seed: $0, mistake).run() != nil }
        #expect(seed != nil)
    }
}

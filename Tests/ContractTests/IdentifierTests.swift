import Testing

@testable import Contract

struct IdentifierTests {
    @Test("either case is read, lower case is written")
    func roundTrip() throws {
        let id = try #require(Identifier("2ED6657D-E927-568B-95E1-2665A8AEA6A2"))
        #expect(id.value == 0x2ed6_657d_e927_568b_95e1_2665_a8ae_a6a2)
        #expect(id.description == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        #expect(Identifier(id.description) == id)
    }

    @Test("random ids survive being written and read, and keep their order as text")
    func properties() {
        let ids = (0..<500).map { _ in Identifier(value: .random(in: .min ... .max)) }
        for id in ids { #expect(Identifier(id.description) == id) }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "2ed6657d", "2ed6657de927568b95e12665a8aea6a2", "{2ed6657d-e927-568b-95e1-2665a8aea6a2}",
            "2ed6657d-e927-568b-95e1-2665a8aea6a", "2ed6657d-e927-568b-95e1-2665a8aea6a22",
            "2ed6657d-e927-568b-95e1-2665a8aea6ag", "2ed6657d0e927-568b-95e1-2665a8aea6a2",
            "2ed6657de-927-568b-95e1-2665a8aea6a2", " 2ed6657d-e927-568b-95e1-2665a8aea6a",
            "2ed6657d-e927-568b-95e1-2665a8aea6é", "2ed6657d-e927-568b-95e1-2665a8aea6/2",
        ])
    func refused(text: String) {
        #expect(Identifier(text) == nil)
    }

    @Test("a made id says its version and variant")
    func versions() {
        var generator = SystemRandomNumberGenerator()
        let instant = Timestamp(microseconds: 1_645_557_742_000_999)
        let random = Identifier.v4(using: &generator)
        let ordered = Identifier.v7(at: instant, using: &generator)
        #expect(random.value >> 76 & 15 == 4)
        #expect(ordered.value >> 76 & 15 == 7)
        for id in [random, ordered] { #expect(id.value >> 62 & 3 == 2) }
        #expect(ordered.description.hasPrefix("017f22e2-79b0-7"))
    }

    @Test("later ids of version 7 are greater, from one microsecond to the next")
    func ordered() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<3000).map {
            Identifier.v7(at: Timestamp(microseconds: 1_700_000_000_000_000 + $0), using: &generator)
        }
        #expect(ids == ids.sorted())
    }

    @Test("two words: at an alignment of 16 bytes Swift 6.3 breaks the frames of closures that await")
    func layout() {
        #expect(MemoryLayout<Identifier>.size == 16 && MemoryLayout<Identifier>.alignment == 8)
    }
}

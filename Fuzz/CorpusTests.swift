import Codecs
import Glibc
import Testing

/// The fuzz targets in the ordinary build: their seeds, and inputs that differ from those a little. Their own
/// build (`FUZZ=1`, script/dev/fuzz) searches further, and leaves this file out.
@Suite("Fuzz targets")
struct CorpusTests {
    /// The input that a target reads.
    @TaskLocal fileprivate static var input: [UInt8] = []

    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/corpus"
    /// The inputs that are made of each seed.
    private static let changes = 50

    @Test("find nothing in their seeds, and near them", arguments: FuzzTarget.allCases)
    func seeds(target: FuzzTarget) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        // A trap leaves nothing but this.
        print("\(target.rawValue): seed \(seed)")
        var random = SplitMix64(seed: seed)
        let seeds = try Self.seeds(of: target)
        #expect(!seeds.isEmpty)
        for seed in seeds {
            Self.$input.withValue(seed) { target.test(seed) }
            for _ in 0..<Self.changes {
                let changed = Self.changed(seed, using: &random)
                Self.$input.withValue(changed) { target.test(changed) }
            }
        }
    }

    private static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
        var found = glob_t()
        defer { globfree(&found) }
        try #require(glob("\(folder)/\(target.rawValue)/*", 0, nil, &found) == 0)
        return try (0..<Int(found.gl_pathc)).map { index in
            // Sound: glob has `gl_pathc` paths, until globfree.
            let file = try #require(found.gl_pathv[index].flatMap { fopen($0, "r") })
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
        }
    }

    /// Returns the seed with one to four bytes removed, doubled, or replaced.
    private static func changed(_ seed: [UInt8], using random: inout SplitMix64) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(bytes[index], at: index)
            default: bytes[index] = .random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}

/// Records a finding unless the condition holds.
func expect(_ condition: Bool, _ finding: @autoclosure () -> String) {
    if !condition { Issue.record("\(finding()), in \(Base64.encode(CorpusTests.input)) (Base64)") }
}

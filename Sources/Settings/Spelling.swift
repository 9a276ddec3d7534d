/// Guesses what somebody meant to type.
enum Spelling {
    /// The candidate that fewest changes lead to, where they are few enough to be a slip.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        // A distance costs the product of the lengths: nothing long is measured.
        guard word.count <= 64 else { return nil }
        let limit = max(2, word.count / 4)
        let measured = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= limit ? best.candidate : nil
    }

    /// Levenshtein's: insertions, deletions and replacements.
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (line, character) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, candidate) in other.enumerated() {
                let replaced = diagonal + (character == candidate ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}

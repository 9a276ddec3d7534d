/// Suggestions for misspelt words.
enum Spelling {
    /// Returns the candidate with the smallest edit distance, if that is small enough for a typing error.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        // The cost is the product of the lengths, so long words are not measured.
        guard word.count <= 64 else { return nil }
        let limit = max(2, word.count / 4)
        let measured = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= limit ? best.candidate : nil
    }

    /// Returns the Levenshtein distance: the number of insertions, deletions and replacements.
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

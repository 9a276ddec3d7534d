/// A suggestion for a mistyped word.
enum Suggestion {
    /// Returns the word that takes the fewest edits, if those are few; else one that begins with the given
    /// word.
    static func nearest(to word: String, among words: [String]) -> String? {
        let wanted = Array(word.lowercased())
        guard wanted.count <= 64 else { return nil }
        let ranked = words.map { (word: $0, edits: distance(wanted, Array($0))) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        if best.edits <= (best.word.count < 4 ? 1 : 2) { return best.word }
        return words.first { word.count >= 2 && $0.hasPrefix(word) }
    }

    /// Returns the Levenshtein distance: insertions, deletions and replacements.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}

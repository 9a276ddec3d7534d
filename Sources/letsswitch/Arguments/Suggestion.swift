import Contract

/// A suggestion for a mistyped word.
enum Suggestion {
    /// Returns the word that takes the fewest edits, if those are few; else one that begins with the given
    /// word.
    static func nearest(to word: String, among words: [String]) -> String? {
        let wanted = word.lowercased()
        guard wanted.count <= 64 else { return nil }
        let ranked = words.map { (word: $0, edits: Spelling.distance(wanted, $0)) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        if best.edits <= (best.word.count < 4 ? 1 : 2) { return best.word }
        return words.first { word.count >= 2 && $0.hasPrefix(word) }
    }
}

import Contract

extension Spelling {
    /// Returns the candidate with the smallest edit distance, if that is small enough for a typing error.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        // The cost is the product of the lengths, so long words are not measured.
        guard word.count <= 64 else { return nil }
        let limit = max(2, word.count / 4)
        let measured = candidates.map { (candidate: $0, distance: distance(word, $0)) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= limit ? best.candidate : nil
    }
}

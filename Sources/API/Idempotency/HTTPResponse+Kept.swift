import Database
import HTTP1
import HTTPServer

extension HTTPResponse {
    /// The header field of an answer that was given before.
    static let replayedField = "Idempotent-Replayed"

    /// Returns the response as it is kept, without the secret that it shows or, in a problem, without the id
    /// of the request.
    func kept(showing secret: DerivedSecret? = nil, id: String) -> KeptAnswer {
        guard case .bytes(var bytes) = body else {
            preconditionFailure("a stream is no answer of a POST")
        }
        var gaps: [Int] = []
        for text in secret?.texts ?? (status >= 400 ? [id] : []) {
            while let gap = bytes.firstRange(of: Array(text.utf8)) {
                gaps.append(gap.lowerBound)
                bytes.removeSubrange(gap)
            }
        }
        let lines = headers.fields.map { "\($0.name): \($0.value)" }
        return KeptAnswer(
            status: status, fieldText: lines.joined(separator: "\n"), body: bytes, gaps: gaps,
            secret: secret.map { KeptAnswer.Secret(kind: $0.kind, hash: $0.hash, salt: $0.salt) })
    }

    /// Returns a kept response: with one text in all gaps, or with one of several in each.
    init(_ kept: KeptAnswer, filling texts: [String]) {
        var bytes = kept.body
        for (index, gap) in kept.gaps.enumerated().reversed() where gap <= bytes.count {
            let text = texts[min(index, texts.count - 1)]
            bytes.insert(contentsOf: Array(text.utf8), at: gap)
        }
        var headers = HTTPHeaders()
        for line in kept.fieldText.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers.append(String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        headers.append(Self.replayedField, "true")
        self.init(status: kept.status, headers: headers, body: bytes)
    }
}

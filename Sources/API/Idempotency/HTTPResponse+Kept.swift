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
        let text = Array((secret?.text ?? id).utf8)
        var gaps: [Int] = []
        while secret != nil || status >= 400, let gap = bytes.firstRange(of: text) {
            gaps.append(gap.lowerBound)
            bytes.removeSubrange(gap)
        }
        let lines = headers.fields.map { "\($0.name): \($0.value)" }
        return KeptAnswer(
            status: status, fieldText: lines.joined(separator: "\n"), body: bytes, gaps: gaps,
            secret: secret.map { KeptAnswer.Secret(kind: $0.kind, hash: $0.hash, salt: $0.salt) })
    }

    /// Returns a kept response, with the text in the gaps.
    init(_ kept: KeptAnswer, filling text: String) {
        var bytes = kept.body
        for gap in kept.gaps.reversed() where gap <= bytes.count {
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

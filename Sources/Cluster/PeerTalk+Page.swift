import Contract
import HTTP1
import HTTPServer

/// The requests by which a server gets the page of another build.
extension PeerTalk {
    /// The path of the call that hands over the page.
    static let pagePath = "/cluster/page"
    /// The most bytes of a page: that of this build has a quarter of a megabyte.
    package static let maximumPageBytes = 4 << 20
    /// The most bytes of a request for a page, which has a hash at most.
    static let maximumPageRequestBytes = 64

    /// Asks a peer for the hash of its page, which is empty if it serves none; nil if it refuses to say, as
    /// another server at the address does, and one that does not know the call. Throws if there is no answer,
    /// or one that passes.
    func pageHash(
        of peer: Identifier, at address: String
    ) async throws(PeerLinkError) -> String? {
        guard let body = try await askForPage("{}", of: peer, at: address) else { return nil }
        return (try? JSONValue.parse(body))?["hash"]?.string
    }

    /// Asks a peer for the files of its page; nil if it gives no answer, or has another page.
    func page(_ hash: String, of peer: Identifier, at address: String) async -> [UInt8]? {
        try? await askForPage(#"{"hash":"\#(hash)"}"#, of: peer, at: address)
    }

    private func askForPage(
        _ body: String, of peer: Identifier, at address: String
    ) async throws(PeerLinkError) -> [UInt8]? {
        let result = await ask(
            .page, .post, Self.pagePath, of: peer, at: address, body: Array(body.utf8),
            timeout: Self.timeout * 2, maximumAnswer: Self.maximumPageBytes)
        let (assertion, answer) = try result.get()
        if answer.status >= 500 { throw .closed }
        guard answer.status == 200, isSigned(answer, by: peer, to: assertion) else { return nil }
        return answer.body
    }
}

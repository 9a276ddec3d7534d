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

    /// The answer of a peer that was asked for the hash of its page.
    enum PageHash: Equatable, Sendable {
        /// The hash, which is empty if the peer serves no page.
        case hash(String)
        /// The peer does not know the call, as a server of an older release.
        case unknownCall
        /// The peer refuses to say, as another server at the address does.
        case refused
    }

    /// Asks a peer for the hash of its page. Throws if there is no answer, or one that passes.
    func pageHash(of peer: Identifier, at address: String) async throws(PeerLinkError) -> PageHash {
        let (status, body) = try await askForPage([:], of: peer, at: address)
        if status == 404 { return .unknownCall }
        guard let body, let hash = (try? JSONValue.parse(body))?["hash"]?.string else { return .refused }
        return .hash(hash)
    }

    /// Asks a peer for the files of its page; nil if it gives no answer, or has another page.
    func page(_ hash: String, of peer: Identifier, at address: String) async -> [UInt8]? {
        try? await askForPage(["hash": .string(hash)], of: peer, at: address).body
    }

    /// Returns the status of the answer, and its body if the peer has signed it.
    private func askForPage(
        _ body: JSONValue, of peer: Identifier, at address: String
    ) async throws(PeerLinkError) -> (status: Int, body: [UInt8]?) {
        let result = await ask(
            .page, .post, Self.pagePath, of: peer, at: address, body: body.bytes,
            timeout: Self.timeout * 2, maximumAnswer: Self.maximumPageBytes)
        let (assertion, answer) = try result.get()
        if answer.status >= 500 { throw .closed }
        guard answer.status == 200, isSigned(answer, by: peer, to: assertion) else {
            return (answer.status, nil)
        }
        return (200, answer.body)
    }
}

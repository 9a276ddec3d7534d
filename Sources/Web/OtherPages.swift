import HTTPServer
import PageFiles

/// The pages of other builds, as servers of these builds have handed them over.
package struct OtherPages: Sendable {
    /// Returns the page with a hash if this server has it, for any loop.
    let kept: @Sendable (String) -> OtherPage?
    /// Returns the page with a hash after the other servers were asked for it; nil if none has it. Throws if
    /// one that may have it could not be asked.
    let find: @Sendable (String) async throws -> OtherPage?
    /// Whether the other servers were asked for a hash a moment ago, and none had it; for any loop.
    let isRefused: @Sendable (String) -> Bool

    package init(
        kept: @escaping @Sendable (String) -> OtherPage?,
        find: @escaping @Sendable (String) async throws -> OtherPage?,
        isRefused: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.kept = kept
        self.find = find
        self.isRefused = isRefused
    }

    /// Whether a segment of a path can be the hash of a page: 16 hexadecimal digits.
    static func isHash(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 16
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

/// The files of another build's page.
package struct OtherPage: Sendable {
    private let answers: [String: PageAnswer]

    /// Reads what a server of that build has sent; nil if it is no page.
    package init?(archive: [UInt8]) {
        guard let files = PageArchive.decode(archive) else { return nil }
        answers = Dictionary(files.map { ($0.name, PageAnswer($0, rules: nil)) }) { $1 }
    }

    func has(_ name: String) -> Bool { answers[name] != nil }

    func response(to request: HTTPRequest) -> HTTPResponse {
        answers[request.parameters[1]]?.response(to: request) ?? PageAnswer.missing(request)
    }
}

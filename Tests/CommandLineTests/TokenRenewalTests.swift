import Client
import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("A token that is replaced")
struct TokenRenewalTests {
    /// The account's tokens on the server: the first use of the pending one makes it the only one.
    private struct Tokens: Sendable {
        var valid = "secret"
        var pending: String?
        var made = 0
        /// Whether the first use of the pending token is lost before it counts. `losesAnswer`: whether the
        /// answers to it and to further uses are lost.
        var losesFirstUse = false
        var losesAnswer = false
        /// The content of the token file when a pending token was first used.
        var fileAtFirstUse = ""

        /// Uses a token, and returns whether it is valid; nil when the request gets no answer.
        mutating func use(_ token: String, _ file: String) -> Bool? {
            guard token == pending else {
                return losesAnswer && token.hasPrefix("new") ? nil : token == valid
            }
            if losesFirstUse { return nil }
            fileAtFirstUse = file
            (valid, pending) = (token, nil)
            return losesAnswer ? nil : true
        }
    }

    private let process = CommandProcess()
    private let tokens = Lock(Tokens())

    private func serve() async throws -> ScriptedServer {
        let (tokens, process) = (tokens, process)
        @Sendable func use(_ request: HTTPRequest) -> Bool? {
            let given = String((request.head.headers.first("authorization") ?? "").dropFirst(7))
            let file = Self.text(of: process.tokenPath)
            return tokens.withLock { $0.use(given, file) }
        }
        return try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { request in
                switch use(request) {
                case true?: .json(UserAnswer(user: Sample.user))
                case false?: .problem(.unauthenticated, "No.")
                case nil: HTTPResponse(status: 502)
                }
            }
            router.immediate(.post, Routes.token) { request in
                guard use(request) == true else { return .problem(.unauthenticated, "No.") }
                let token = tokens.withLock { tokens in
                    tokens.made += 1
                    tokens.pending = "new\(tokens.made)"
                    return "new\(tokens.made)"
                }
                return .json(Token(token: token), status: 201)
            }
        }
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    private var file: String { Self.text(of: process.tokenPath) }

    @Test("is in the file, beside the new one, until the new one is used; then the new one is alone")
    func order() async throws {
        let server = try await serve()
        try process.signIn()
        let outcome = try await process.run(["token", "renew"], server: server.url)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.output.contains("new1"))
        #expect(tokens.withLock { $0.fileAtFirstUse } == "secret\n\(server.url)\nnew1\n")
        #expect(file == "new1\n\(server.url)\n")
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        let again = try await process.run(["token", "renew", "--json"], server: server.url)
        #expect(again.output == "{\"tokenFile\":\"\(process.tokenPath)\"}\n")
        #expect(file == "new2\n\(server.url)\n")
    }

    @Test("is found out by the next command where the first use failed", arguments: [true, false])
    func interrupted(countsAnyway: Bool) async throws {
        let server = try await serve()
        try process.signIn()
        tokens.withLock {
            $0.losesFirstUse = !countsAnyway
            $0.losesAnswer = countsAnyway
        }
        let outcome = try await process.run(["token", "renew"], server: server.url)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors.contains("are both in \(process.tokenPath)"))
        #expect(file == "secret\n\(server.url)\nnew1\n")
        #expect(tokens.withLock { $0.valid } == (countsAnyway ? "new1" : "secret"))
        // Neither token is dropped while the server does not tell which is valid.
        if !countsAnyway {
            #expect(try await process.run(["whoami"], server: server.url).status == 1)
            #expect(file == "secret\n\(server.url)\nnew1\n")
        }
        tokens.withLock { ($0.losesFirstUse, $0.losesAnswer) = (false, false) }
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        #expect(file == "new1\n\(server.url)\n")
    }

    @Test("stays where the new one has expired, and where neither is known both stay")
    func expired() async throws {
        let server = try await serve()
        try process.signIn()
        tokens.withLock { $0.losesFirstUse = true }
        #expect(try await process.run(["token", "renew"], server: server.url).status == 1)
        tokens.withLock { ($0.pending, $0.valid) = (nil, "unknown") }
        #expect(try await process.run(["whoami"], server: server.url).status == 3)
        #expect(file == "secret\n\(server.url)\nnew1\n")
        tokens.withLock { $0.valid = "secret" }
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        #expect(file == "secret\n\(server.url)\n")
    }

    @Test("is replaced by one process at a time")
    func together() async throws {
        let server = try await serve()
        try process.signIn()
        let path = try Child.command()
        let script = "for _ in 1 2 3 4; do \"$0\" token renew & done; wait"
        let outcome = try await process.run(
            path: "/bin/bash", ["--norc", "-c", script, path],
            environment: ["LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)"])
        #expect(outcome.errors.isEmpty, "\(outcome)")
        #expect(tokens.withLock { $0.valid } == "new4")
        #expect(file == "new4\n\(server.url)\n")
    }

    @Test("may be alone in a file, with its server, or with its server and the one that takes its place")
    func lines() throws {
        let server = try Server("http://127.0.0.1:8080")
        for stored in [
            StoredToken("one", for: nil), StoredToken("one", for: server),
            StoredToken("one", for: server, successor: "two"),
        ] {
            #expect(try StoredToken(Array(stored.text.utf8)[...], from: "F") == stored)
        }
        for wrong in [
            "one\ntwo\n", "one\n\(server.url)\ntwo three\n", "one\n\(server.url)\ntwo\nthree\n",
            "one two\n", "",
        ] {
            #expect(throws: Failure.self) { try StoredToken(Array(wrong.utf8)[...], from: "F") }
        }
    }
}

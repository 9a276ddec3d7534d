import Contract
import Reactor
import TestKit

/// One request by curl, and its response.
struct Curl: Sendable {
    let status: Int
    /// The fields by their names in lower case.
    let headers: [String: String]
    let body: String

    var json: JSONValue { get throws { try JSONValue.parse(Array(body.utf8)) } }

    /// Runs curl with the arguments after `-s -i`.
    init(_ arguments: String...) async throws { try await self.init(arguments) }

    init(_ arguments: [String], input: String = "") async throws {
        let run = try await Finished.run("curl", ["-sS", "-i", "--max-time", "50"] + arguments, input: input)
        guard run.status == 0 else { throw TestError("curl \(arguments): \(run)") }
        // An interim response comes before the final one.
        var rest = run.output
        var head = ""
        repeat {
            guard let gap = rest.range(of: "\r\n\r\n") else { throw TestError("no head: \(run)") }
            head = String(rest[..<gap.lowerBound])
            rest = String(rest[gap.upperBound...])
        } while head.hasPrefix("HTTP/1.1 100")
        let lines = head.split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst().drop { $0 == " " })
        }
        self.headers = headers
        body = rest
    }

    /// Starts curl on a stream, which it prints as it comes.
    static func stream(_ url: String, token: String, _ more: String...) throws -> ChildProcess {
        var command = ChildProcess.Command(
            "curl", ["-sN", url, "-H", "Authorization: Bearer \(token)"] + more)
        command.timeLimit = .seconds(300)
        return try ChildProcess(command)
    }

    /// Sends a POST with a body of JSON.
    static func post(_ url: String, _ body: String, token: String? = nil) async throws -> Curl {
        try await Curl(
            ["-X", "POST", url, "-H", "Content-Type: application/json", "-d", body]
                + (token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []))
    }
}

extension String {
    /// Returns the range of the first occurrence of the text.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        let (all, wanted) = (Array(utf8), Array(text.utf8))
        guard all.count >= wanted.count else { return nil }
        for start in 0...(all.count - wanted.count)
        where all[start..<(start + wanted.count)].elementsEqual(wanted) {
            let lower = utf8.index(utf8.startIndex, offsetBy: start)
            return lower..<utf8.index(lower, offsetBy: wanted.count)
        }
        return nil
    }
}

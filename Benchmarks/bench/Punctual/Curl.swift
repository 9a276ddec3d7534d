import Reactor

/// The program curl, which is also the lower bound of what the server sends.
enum Curl {
    /// Returns what curl prints; nil when it fails.
    static func run(_ arguments: [String]) async throws -> String? {
        let child = try await ChildProcess.run(.init("curl", ["--silent"] + arguments))
        return await child.ending() == .exited(0) ? child.output() : nil
    }

    /// Sends one request, as one person does; returns its status and its seconds, or 0 and 30 when there is
    /// no answer.
    static func call(
        _ method: String, _ url: String, token: String, body: String? = nil
    ) async throws -> (status: Int, seconds: Double) {
        let content = body.map { ["--header", "Content-Type: application/json", "--data", $0] } ?? []
        let printed = try await run(
            [
                "--max-time", "30", "--output", "/dev/null", "--write-out", "%{http_code} %{time_total}",
                "--request", method, "--header", "Authorization: Bearer \(token)",
            ] + content + [url])
        let words = printed?.split(separator: " ") ?? []
        guard words.count == 2, let status = Int(words[0]), let seconds = Double(words[1]) else {
            return (0, 30)
        }
        return (status, seconds)
    }

    /// Posts as many bodies as the pattern in the URL says; returns the seconds that it takes.
    static func postAll(
        _ url: String, body: String, parallel: Int, _ options: [String] = []
    ) async throws -> Double {
        var command = ChildProcess.Command(
            "curl",
            [
                "--silent", "--parallel", "--parallel-max", "\(parallel)", "--data-binary", body, "--header",
                "Content-Type: application/json",
            ] + options + [url])
        command.standardOutput = .discard
        let begin = Monotonic.nanoseconds()
        _ = try await ChildProcess.run(command)
        return Double(Monotonic.nanoseconds() - begin) / 1e9
    }
}

import TestKit

/// One figure of `/metrics`.
enum Metric {
    /// `name` as it stands there, with its labels, without `letsswitch_`.
    static func read(_ name: String, from server: ServerProcess) async throws -> Int {
        Int(try await value(name, from: server))
    }

    /// The same, where it is no whole number.
    static func value(_ name: String, from server: ServerProcess) async throws -> Double {
        let page = try await Curl("\(server.url)/metrics").body
        for line in page.split(separator: "\n") where line.hasPrefix("letsswitch_\(name) ") {
            if let value = line.split(separator: " ").last.flatMap({ Double($0) }) { return value }
        }
        throw TestError("no \(name) in:\n\(page)")
    }

    /// The same, asked again where the server refuses just now, since this address has asked for too much.
    static func patiently(_ name: String, from server: ServerProcess) async throws -> Int {
        let arguments = ["-fsS", "-o", "/dev/null", "--retry", "20", "\(server.url)/livez"]
        _ = try await Finished.run("curl", arguments)
        return try await read(name, from: server)
    }
}

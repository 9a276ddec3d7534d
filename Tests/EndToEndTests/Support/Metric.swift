import TestKit

/// Readings of `/metrics`.
enum Metric {
    /// Returns a metric as a whole number. `name` has the labels, without `letsswitch_`.
    static func read(_ name: String, from server: ServerProcess) async throws -> Int {
        Int(try await value(name, from: server))
    }

    /// Returns a metric that may be a fraction.
    static func value(_ name: String, from server: ServerProcess) async throws -> Double {
        try value(name, in: try await Curl("\(server.url)/metrics").body)
    }

    private static func value(_ name: String, in page: String) throws -> Double {
        for line in page.split(separator: "\n") where line.hasPrefix("letsswitch_\(name) ") {
            if let value = line.split(separator: " ").last.flatMap({ Double($0) }) { return value }
        }
        throw TestError("no \(name) in:\n\(page)")
    }

    /// Returns a metric, after waiting while the server refuses too many requests of this address.
    static func patiently(_ name: String, from server: ServerProcess) async throws -> Int {
        let arguments = ["-fsS", "--retry", "20", "\(server.url)/metrics"]
        return Int(try value(name, in: try await Finished.run("curl", arguments).output))
    }
}

import TestKit

/// Readings of `/metrics`, summed over all members of a server.
enum Metric {
    /// Returns a metric as a whole number. `name` has the labels, without `letsswitch_`.
    static func read(_ name: String, from server: ServerProcess) async throws -> Int {
        Int(try await value(name, from: server))
    }

    /// Returns a metric that may be a fraction.
    static func value(_ name: String, from server: ServerProcess) async throws -> Double {
        try await sum(name, over: server) { try await Curl($0).body }
    }

    /// Returns a metric, after waiting while the server refuses too many requests of this address.
    static func patiently(_ name: String, from server: ServerProcess) async throws -> Int {
        Int(
            try await sum(name, over: server) { url in
                try await Finished.run("curl", ["-fsS", "--retry", "20", url]).output
            })
    }

    /// Returns a metric of this process alone; zero where it is not there: some begin with a first event.
    static func own(_ name: String, of server: ServerProcess) async throws -> Int {
        Int(value(name, in: try await Curl(url(of: server)).body) ?? 0)
    }

    private static func sum(
        _ name: String, over server: ServerProcess, _ page: (String) async throws -> String
    ) async throws -> Double {
        var pages: [String] = []
        for member in server.members { pages.append(try await page(url(of: member))) }
        let values = pages.compactMap { value(name, in: $0) }
        if values.isEmpty { throw TestError("no \(name) in:\n\(pages.joined(separator: "\n"))") }
        return values.reduce(0, +)
    }

    private static func url(of server: ServerProcess) -> String {
        "http://127.0.0.1:\(server.ownPort)/metrics"
    }

    private static func value(_ name: String, in page: String) -> Double? {
        for line in page.split(separator: "\n") where line.hasPrefix("letsswitch_\(name) ") {
            if let value = line.split(separator: " ").last.flatMap({ Double($0) }) { return value }
        }
        return nil
    }
}

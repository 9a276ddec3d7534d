import TestSupport

/// One figure of `/metrics`.
enum Metric {
    /// `name` as it stands there, with its labels, without `letsswitch_`.
    static func read(_ name: String, from server: ServerProcess) async throws -> Int {
        let page = try await Curl("\(server.url)/metrics").body
        for line in page.split(separator: "\n") where line.hasPrefix("letsswitch_\(name) ") {
            if let value = line.split(separator: " ").last.flatMap({ Int($0) }) { return value }
        }
        throw TestSupportError("no \(name) in:\n\(page)")
    }
}

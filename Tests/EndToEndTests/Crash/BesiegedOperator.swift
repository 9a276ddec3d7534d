import Contract

/// The operator of the service, who uses the other commands of the server and its metrics page.
struct BesiegedOperator: Sendable {
    let settings: [String: String]
    let grid: Grid
    let fleet: Fleet

    /// Works until the task is cancelled. A step that fails is tried again a little later.
    func work() async {
        while !Task.isCancelled {
            do {
                try await look()
                try await ContinuousClock().sleep(for: .seconds(grid.slotSeconds))
            } catch {
                try? await ContinuousClock().sleep(for: .milliseconds(100))
            }
        }
    }

    /// Runs the commands. Now and then one makes the same delivery twice, which webhooks must tolerate.
    private func look() async throws {
        _ = try await Curl("\(try await fleet.server(0).url)/metrics")
        let now = Timestamp.now.seconds + grid.leadSeconds
        let slot = Timestamp(seconds: now / grid.slotSeconds * grid.slotSeconds)
        _ = try await run("explain", "\(slot)")
        let list = try await run("deliveries")
        let settled = list.split(separator: "\n").first { $0.contains("  delivered  ") }
        guard let id = settled?.split(separator: " ").first else { return }
        _ = try await run("deliveries", "--replay", String(id))
    }

    private func run(_ arguments: String...) async throws -> String {
        try await Finished.run(try fleet.program.path(), arguments, environment: settings).output
    }
}

import Contract
import Reactor

/// Rooms of two in a database of their own, all of them owned by the one server that matched them. Others may
/// join it.
struct ClusterScene: Sendable {
    private static let patience = Duration.seconds(30)
    /// The time in which servers that know of each other have also probed each other: two heartbeats.
    private static let acquaintance = Duration.milliseconds(2_500)

    let owner: MeasuredServer
    /// The path of each member's socket, with its ticket, those of a room one after the other.
    let paths: [String]
    private let testbed: Testbed
    private let database: BenchDatabase
    private let slots: MeasuredSlots
    /// The core that its servers have; nil for all.
    private let core: Int?

    /// Makes the rooms, and leaves their server running.
    static func make(
        _ name: String, rooms: Int, on testbed: Testbed, core: Int? = nil
    ) async throws -> ClusterScene {
        let database = try await testbed.makeDatabase("bench_\(name)")
        let people = 2 * rooms
        try await database.addPeople(people)
        var slots = MeasuredSlots(hourAfter: 0)
        slots.open(after: 10)
        try await database.register(people, for: slots)
        let owner = try await start("owner", on: testbed, database, slots, core)
        let group = try EventLoopGroup(count: 1, name: "scene")
        defer { group.shutdown() }
        let maker = RoomMaker(
            address: try Loopback.address(port: owner.port), loop: group.loops[0],
            slot: Timestamp(seconds: Int64(slots.start)))
        let paths = try await maker.readRooms(
            of: try await database.tokens(1...people), rooms: rooms, size: 2)
        let owners = try await database.run("SELECT count(*) FROM rooms WHERE owner IS NOT NULL AND term = 1")
        guard owners == "\(rooms)" else {
            throw BenchError.failed("\(owners) of \(rooms) rooms have an owner.")
        }
        return ClusterScene(
            owner: owner, paths: paths, testbed: testbed, database: database, slots: slots, core: core)
    }

    /// Starts another server, and waits until the others know it.
    func join(_ name: String) async throws -> MeasuredServer {
        let server = try await Self.start(name, on: testbed, database, slots, core)
        let question = """
            SELECT count(*) FROM servers
            WHERE address LIKE '%:\(server.port)' AND alive_until > clock_timestamp()
            """
        let isKnown = try await Patience.wait(Self.patience, looking: .milliseconds(200)) {
            try await database.run(question) == "1"
        }
        guard isKnown else { throw BenchError.failed("The server \(name) has no lease.") }
        try await ContinuousClock().sleep(for: Self.acquaintance)
        return server
    }

    /// Ends its servers, and removes the database.
    func end() async throws {
        await testbed.clear()
        try await testbed.drop(database)
    }

    private static func start(
        _ name: String, on testbed: Testbed, _ database: BenchDatabase, _ slots: MeasuredSlots, _ core: Int?
    ) async throws -> MeasuredServer {
        var settings = MeasuredServer.Settings(
            arguments: [
                "--workers", "1", "--ales-per-second", "0", "--data-dir", "\(testbed.folder)/\(name)",
            ])
        settings.core = core
        return try await MeasuredServer.start(on: testbed, database, slots, settings, name: name)
    }
}

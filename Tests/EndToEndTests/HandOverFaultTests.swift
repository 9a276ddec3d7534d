import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

/// A database to which each server has a way of its own.
struct HandOverDatabases {
    let cluster: TestCluster
    let proxies: [TCPProxy]
    let configuration: PostgresConfiguration

    init(ways count: Int) async throws {
        let port = try FreePort.take()
        cluster = try await TestCluster.make(listeningAt: port)
        var proxies: [TCPProxy] = []
        for _ in 0..<count { proxies.append(try await TCPProxy(to: [port])) }
        self.proxies = proxies
        configuration = try PostgresConfiguration(url: cluster.tcpURL())
    }

    var urls: [String] { proxies.map { "postgresql://postgres@127.0.0.1:\($0.port)/postgres" } }

    private static let blocked = """
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH given%'
        """

    private static let ales = "SELECT ales FROM rooms WHERE id::text = $1"
    private static let lock = "SELECT FROM rooms WHERE id::text = $1 FOR NO KEY UPDATE"
    private static let end = "SELECT pg_terminate_backend(pid) FROM (\(blocked)) AS given"

    /// Calls the body once the statement waits that gives the room of the scene to another server, which has
    /// said then that it has the room. The statement goes on when the body returns, unless it is ended.
    func inTheMiddle(
        of scene: HandOverScene, ales: Int64, isMove: Bool = false,
        _ body: (_ end: () async throws -> Void) async throws -> Void
    ) async throws {
        try await withPostgresConnection(configuration, on: TestLoops.next()) { observer in
            // Counts that are stored later would wait too.
            try await eventually {
                let rows = try await observer.query(Self.ales, ["\(scene.room)"])
                return try rows.first?.decode(0, Int64.self) == ales
            }
            try await withPostgresConnection(configuration, on: TestLoops.next()) { blocker in
                try await blocker.simple("BEGIN")
                try await blocker.query(Self.lock, ["\(scene.room)"])
                if isMove {
                    try await scene.move(in: configuration)
                } else {
                    scene.servers[scene.owner].child.signal(SIGTERM)
                }
                try await eventually { try await !observer.query(Self.blocked).isEmpty }
                try await body {
                    try await observer.query(Self.end)
                    try await eventually { try await observer.query(Self.blocked).isEmpty }
                }
                try await blocker.simple("COMMIT")
            }
        }
    }
}

extension HandOverDatabases {
    private static let term = "SELECT term FROM rooms WHERE id::text = $1"

    /// Waits until a room has that term.
    func waitForTerm(_ term: Int32, of room: Identifier) async throws {
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            try await eventually {
                try await connection.query(Self.term, ["\(room)"]).first?.decode(0, Int32.self) == term
            }
        }
    }
}

extension HandOverTests {
    @Test("says that the room starts again, when the other one is killed between its yes and the new row")
    func receiverKilled() async throws {
        try await HandOverScene.withDatabases { scene, databases in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            try await databases.inTheMiddle(of: scene, ales: 2) { _ in await other.kill() }
            for socket in [scene.ada, scene.old] { try await socket.closes(with: 1012) }
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            let next = try await restart(1 - scene.owner, scene, databases)
            let ada = try await RoomSocket.open(
                scene.room, as: try scene.people[0].at(next), epoch: scene.epoch, since: 2)
            let handshake = try await ada.message("handshake")
            #expect(handshake["recovered"]?.bool == false && handshake["seq"]?.int == 0)
            #expect(handshake["epoch"]?.string != scene.epoch)
            let bea = try await RoomSocket.open(scene.room, as: try scene.people[1].at(next))
            await ada.cheer("3")
            #expect(try await ada.skip(to: "ack")["seq"]?.int == 1)
            #expect(try await bea.skip(to: "aleResponse")["seq"]?.int == 1)
        }
    }

    /// The ways in which a server that ends does not reach the database.
    enum Loss: CaseIterable {
        case cut, silent, stopped

        func begin(_ databases: HandOverDatabases, _ server: Int) async throws {
            switch self {
            case .cut: await databases.proxies[server].cut()
            case .silent: await databases.proxies[server].pass([])
            case .stopped: try await databases.cluster.stop()
            }
        }

        func end(_ databases: HandOverDatabases, _ server: Int) async throws {
            if self == .stopped { try await databases.cluster.start() }
            await databases.proxies[server].heal()
        }
    }

    @Test("leaves its rooms to its own disk where it does not reach the database", arguments: Loss.allCases)
    func databaseLost(loss: Loss) async throws {
        try await HandOverScene.withDatabases { scene, databases in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let owner = scene.servers[scene.owner]
            try await loss.begin(databases, scene.owner)
            owner.child.signal(SIGTERM)
            try await scene.closesAll()
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            #expect(owner.log.contains("rooms are not handed over"), "\(owner.log)")
            try await loss.end(databases, scene.owner)
            try await scene.goesOn(at: try await restart(scene.owner, scene, databases), after: 2)
        }
    }

    @Test(
        "goes on wherever its row says, when the database is lost while that is written",
        arguments: [true, false])
    func rowInDoubt(isWritten: Bool) async throws {
        try await HandOverScene.withDatabases { scene, databases in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            try await databases.inTheMiddle(of: scene, ales: 2) { end in
                await databases.proxies[scene.owner].cut()
                if !isWritten { try await end() }
            }
            try await databases.waitForTerm(isWritten ? 2 : 1, of: scene.room)
            // The server may learn from the other one that its room has gone, and send its people there.
            for socket in [scene.ada, scene.bea, scene.old] { _ = try await socket.close() }
            #expect(await owner.child.ending() == .exited(0), "\(owner.log)")
            // Where the room has gone by then, there is nothing to tell.
            #expect(isWritten || owner.log.contains("rooms handed over rooms=0"), "\(owner.log)")
            await databases.proxies[scene.owner].heal()
            let next = isWritten ? other : try await restart(scene.owner, scene, databases)
            try await scene.goesOn(at: next, after: 2)
        }
    }

    @Test(
        "acknowledges nothing of a room that is moved until the database has said who has it",
        arguments: [true, false])
    func moveInDoubt(isWritten: Bool) async throws {
        try await HandOverScene.withDatabases { scene, databases in
            #expect(try await scene.cheer(["1", "2"]) == [1, 2])
            let (owner, other) = (scene.servers[scene.owner], scene.servers[1 - scene.owner])
            try await databases.inTheMiddle(of: scene, ales: 2, isMove: true) { end in
                await databases.proxies[scene.owner].cut()
                if !isWritten { try await end() }
            }
            try await databases.waitForTerm(isWritten ? 2 : 1, of: scene.room)
            try await eventually { owner.log.contains("room owner uncertain") }
            await scene.ada.cheer("3")
            await databases.proxies[scene.owner].heal()
            // The ale waits, and is not taken: its sender sends it again at the other server.
            var acknowledged: [String] = []
            while case .text(let text) = try await scene.ada.next() {
                if text.contains("\"ack\"") { acknowledged.append(text) }
            }
            #expect(acknowledged.isEmpty)
            try await databases.waitForTerm(2, of: scene.room)
            try await scene.goesOn(at: other, after: 2)
            #expect(try await Metric.read("rooms", from: owner) == 0)
        }
    }

    /// Starts a server again on its disk, with a way of its own to the database.
    private func restart(
        _ server: Int, _ scene: HandOverScene, _ databases: HandOverDatabases
    ) async throws -> ServerProcess {
        let settings = HandOverScene.settings(server, scene.stage)
        let database = ["DATABASE_URL": databases.cluster.tcpURL()]
        return try await scene.stage.startOne(settings.merging(database) { $1 })
    }
}

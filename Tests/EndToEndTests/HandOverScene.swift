import Client
import Contract
import Postgres
import PostgresTesting
import TestKit
import Testing

/// A room with two people of version 2 and one of version 1, and the server that has it.
struct HandOverScene {
    let stage: Stage
    let servers: [ServerProcess]
    let people: [Person]
    let room: Identifier
    let owner: Int
    let epoch: String
    let ada: RoomSocket
    let bea: RoomSocket
    let old: RoomSocket

    private static let seats = ["ROOM_SIZE": "3", "ALES_PER_SECOND": "0"]

    /// Lends a scene of so many servers to the body.
    static func with(servers count: Int, _ body: (HandOverScene) async throws -> Void) async throws {
        try await Stage.with(.openNow, seats) { try await body(try await HandOverScene($0, servers: count)) }
    }

    /// Lends a scene of two servers to the body, each with its own way to a database, and the database.
    static func withDatabases(
        _ body: (HandOverScene, HandOverDatabases) async throws -> Void
    ) async throws {
        let databases = try await HandOverDatabases(ways: 2)
        defer { databases.cluster.remove() }
        try await Stage.with(.openNow, seats) { stage in
            try await body(try await HandOverScene(stage, servers: 2, databases: databases), databases)
        }
    }

    /// Starts the servers, each with its own way to the database if these are given, and opens the room.
    init(_ stage: Stage, servers count: Int, databases: HandOverDatabases? = nil) async throws {
        self.stage = stage
        var servers: [ServerProcess] = []
        for index in 0..<count {
            let database = databases.map { ["DATABASE_URL": $0.urls[index]] } ?? [:]
            servers.append(
                try await stage.startOne(Self.settings(index, stage).merging(database) { $1 }))
        }
        self.servers = servers
        people = try await Person.crowd(3, on: servers[0])
        room = try await people[0].enter(stage.grid.openSlot).roomId
        for person in people.dropFirst() {
            let entered = try await person.enter(stage.grid.openSlot).roomId
            #expect(entered == room)
        }
        owner = try await Self.owner(among: servers)
        // One comes by a tunnel.
        let guest = servers[(owner + 1) % count]
        ada = try await RoomSocket.open(room, as: try people[0].at(servers[owner]))
        bea = try await RoomSocket.open(room, as: try people[1].at(count > 2 ? servers[owner] : guest))
        old = try await RoomSocket.open(room, as: try people[2].at(servers[owner]), version: 1)
        epoch = try #require(try await ada.message("handshake")["epoch"]?.string)
        #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
        try await Self.haveLeases(count, in: databases?.configuration ?? stage.database.configuration)
    }

    private static let leases = """
        SELECT count(*) FROM servers WHERE alive_until > clock_timestamp() + interval '3 s'
        """

    /// Waits until all servers have leases: with no slot near they have none.
    private static func haveLeases(_ count: Int, in configuration: PostgresConfiguration) async throws {
        try await within("the leases of \(count) servers") {
            try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
                while true {
                    let rows = try await connection.query(Self.leases)
                    if try rows.first?.decode(0, Int64.self) == Int64(count) { return }
                    try Task.checkCancellation()
                }
            }
        }
    }

    /// Returns the settings of a server: each has a folder of its own.
    static func settings(_ index: Int, _ stage: Stage) -> [String: String] {
        ["DATA_DIR": "\(stage.folder.path)/\(index)"]
    }

    /// Returns the index of the server that has the only room, by the figures of each.
    static func owner(among servers: [ServerProcess]) async throws -> Int {
        // A server reads the rooms that it owns as soon as it hears of them.
        while true {
            for (index, server) in servers.enumerated()
            where try await Metric.read("rooms", from: server) > 0 { return index }
            try Task.checkCancellation()
        }
    }

    private static let move = """
        SELECT pg_notify('letsswitch', concat('move ', rooms.id, ' ', other.name))
        FROM rooms JOIN servers AS other ON other.name <> rooms.owner::text WHERE rooms.id::text = $1
        """

    /// Tells the servers, of which there are two, that the room is to go to the one that does not have it,
    /// as an operator's desk does.
    func move(in configuration: PostgresConfiguration) async throws {
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            let told = try await connection.query(Self.move, ["\(room)"])
            #expect(told.count == 1)
        }
    }

    /// Sends ales with these ids and returns the number of each.
    func cheer(_ ids: [String]) async throws -> [Int64] {
        var numbers: [Int64] = []
        for id in ids {
            await ada.cheer(id)
            numbers.append(try await ada.skip(to: "ack")["seq"]?.int ?? 0)
        }
        return numbers
    }

    /// Checks that the room goes on at a server with all that it had: `count` ales with the ids "1", "2"
    /// and so on.
    func goesOn(at server: ServerProcess, after count: Int) async throws {
        let bea = try await RoomSocket.open(
            room, as: try people[1].at(server), epoch: epoch, since: Int64(count) - 1)
        let handshake = try await bea.message("handshake")
        #expect(handshake["recovered"]?.bool == true && handshake["epoch"]?.string == epoch)
        #expect(handshake["seq"]?.int == Int64(count))
        #expect(try await bea.skip(to: "aleResponse")["seq"]?.int == Int64(count))
        let old = try await RoomSocket.open(room, as: try people[2].at(server), version: 1)
        #expect(try await old.next() == .binary("{\"type\":\"handshake\"}"))
        let ada = try await RoomSocket.open(
            room, as: try people[0].at(server), epoch: epoch, since: Int64(count))
        #expect(try await ada.message("handshake")["recovered"]?.bool == true)
        // An ale that was acknowledged before is known, and a new one is the next.
        for (id, number) in [("1", 1), ("\(count)", count), ("new", count + 1)] {
            await ada.cheer(id)
            #expect(try await ada.skip(to: "ack")["seq"]?.int == Int64(number))
        }
        #expect(try await bea.skip(to: "aleResponse")["seq"]?.int == Int64(count + 1))
        #expect(try await old.next() == .binary("{\"type\":\"aleResponse\"}"))
        for socket in [ada, bea, old] { await socket.drop() }
    }

    /// Checks that all sockets end with 1012 and a wait.
    func closesAll() async throws {
        for socket in [ada, bea, old] {
            let reason = try await socket.closes(with: 1012)
            #expect(RetryAfter.read(reason) != nil, "\(reason)")
        }
    }
}

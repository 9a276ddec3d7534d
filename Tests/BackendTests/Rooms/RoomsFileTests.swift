import CLinux
import Contract
import Glibc
import Reactor
import TestKit
import Testing

@testable import API
@testable import Rooms

@Suite("The file of rooms")
struct RoomsFileTests {
    private static let opens = Timestamp(seconds: 1_800_000_000)
    private static let closes = opens.adding(.seconds(1800))

    private func open(
        _ folder: TemporaryFolder, _ limits: RoomsFile.Limits = .init(), boot: Int = 77, port: UInt16 = 1
    ) async -> RoomsFile? {
        await RoomsFile.open(
            in: folder.path, port: port, limits: limits, bootID: { Identifier(value: UInt128(boot)) },
            now: Self.opens)
    }

    /// Writes a room with that many ales, each with a message id.
    @discardableResult
    private func write(_ room: Int, ales: Int = 3, term: Int32 = 0, in storage: any RoomStorage)
        -> RoomRecord?
    {
        let record = RoomRecord(
            Identifier(value: UInt128(room)), term: term, epoch: UInt64(room), origin: Self.opens,
            closesAt: Self.closes, in: storage, RoomLogLayout())
        guard let record, record.add(Identifier(value: 5)) else { return nil }
        for number in 0..<ales {
            let messageId = RoomRecord.MessageId(
                fingerprint: MessageFingerprint("\(number)"), sender: 0, place: number)
            guard record.append(0, number: Int64(number + 1), messageId: messageId) else { return nil }
        }
        return record
    }

    /// Makes a rooms file of that many rooms, as a process that has ended leaves it.
    private func leave(_ count: Int, in folder: TemporaryFolder) async throws {
        let file = try #require(await open(folder))
        let storages = [file.storage(), file.storage()]
        for number in 0..<count {
            #expect(write(number + 1, in: storages[number % 2]) != nil)
        }
    }

    private func check(_ rooms: [SavedRoom], count: Int) {
        #expect(Set(rooms.map(\.id)) == Set((1...count).map { Identifier(value: UInt128($0)) }))
        #expect(rooms.allSatisfy { $0.last == 3 && $0.senders.map(\.registration) == [Identifier(value: 5)] })
    }

    private func change(_ folder: TemporaryFolder, _ body: (MappedFile) throws -> Void) throws {
        try body(RoomsFile.map("\(folder.path)/rooms-1", maximumBytes: 1 << 30))
    }

    @Test("knows the process that had it before, on the same start of the machine")
    func earlier() async throws {
        let folder = TemporaryFolder()
        let (first, second) = (Identifier(value: 1 << 100 | 1), Identifier(value: 2))
        func next(boot: Int = 77, _ begun: Identifier?, rooms: Int = 0) async throws -> Identifier? {
            let file = try #require(await open(folder, boot: boot))
            for room in 0..<rooms { #expect(write(room + 1, in: file.storage()) != nil) }
            if let begun { file.begin(begun) }
            return file.earlier
        }
        #expect(try await next(first) == nil)
        // A process that ended before it had taken over is passed over.
        for _ in 0..<2 { #expect(try await next(nil) == first) }
        #expect(try await next(second, rooms: 2) == first)
        for _ in 0..<2 { #expect(try await next(nil) == second) }
        #expect(try await next(boot: 78, nil) == nil)
    }

    @Test("gives the rooms of all loops to the next process, and their blocks to no other room")
    func next() async throws {
        let folder = TemporaryFolder()
        try await leave(100, in: folder)
        let file = try #require(await open(folder))
        check(file.saved, count: 100)
        let storage = file.storage()
        let taken = (0..<5000).compactMap { _ in storage.takeBlock() }
        #expect(Set(taken).count == 5000)
        #expect(Set(taken).isDisjoint(with: file.saved.flatMap(\.usedBlocks)))
    }

    @Test("hands on the terms in which rooms were here, and those in which they were claimed")
    func terms() async throws {
        let folder = TemporaryFolder()
        if let file = await open(folder) {
            for number in 1...3 { #expect(write(number, term: Int32(number), in: file.storage()) != nil) }
        }
        let file = try #require(await open(folder))
        #expect(file.saved.sorted { $0.id < $1.id }.map(\.term) == [1, 2, 3])
        file.claimed([Identifier(value: 2): 3, Identifier(value: 9): 1])
        #expect(file.saved.sorted { $0.id < $1.id }.map(\.term) == [1, 3, 3])
    }

    @Test("keeps its identity as long as there is anything in it")
    func identity() async throws {
        let folder = TemporaryFolder()
        let empty = try await identity(in: folder, writing: 1)
        let used = try await identity(in: folder, writing: 2)
        #expect(used == empty)
        #expect(try await identity(in: folder, writing: 3, boot: 78) != used)
    }

    /// Opens the file as a new process, writes a room, and returns the identity of the file.
    private func identity(
        in folder: TemporaryFolder, writing room: Int, boot: Int = 77
    ) async throws -> Identifier {
        let file = try #require(await open(folder, boot: boot))
        #expect(write(room, in: file.storage()) != nil)
        return file.identity
    }

    @Test("of another start of the machine is emptied")
    func otherBoot() async throws {
        let folder = TemporaryFolder()
        try await leave(3, in: folder)
        #expect(try #require(await open(folder, boot: 78)).saved.isEmpty)
        #expect(try #require(await open(folder)).saved.isEmpty)
    }

    @Test("whose header is damaged is emptied", arguments: 0..<8)
    func damagedHeader(word: Int) async throws {
        let folder = TemporaryFolder()
        try await leave(3, in: folder)
        try change(folder) { $0.store($0.load(word) ^ 1, at: word) }
        let file = try #require(await open(folder))
        #expect(file.saved.isEmpty)
        #expect(write(9, in: file.storage()) != nil)
    }

    @Test("may hold anything", arguments: [0, 1, 7, 8, 100, 511, 512, 513, 4096, 100_000])
    func garbage(bytes: Int) async throws {
        let folder = TemporaryFolder()
        let descriptor = Glibc.open("\(folder.path)/rooms-1", O_RDWR | O_CREAT, 0o600)
        let content = (0..<bytes).map { _ in UInt8.random(in: 0...255) }
        #expect(Glibc.write(descriptor, content, bytes) == bytes)
        close(descriptor)
        let file = try #require(await open(folder))
        #expect(file.saved.isEmpty)
        #expect(write(9, in: file.storage()) != nil)
    }

    @Test("is one server's at a time")
    func locked() async throws {
        let folder = TemporaryFolder()
        let file = await open(folder)
        #expect(file != nil)
        var limits = RoomsFile.Limits()
        limits.filesInFolder = 1
        #expect(await open(folder, limits) == nil)
        #expect(await open(folder, port: 2) != nil)
    }

    @Test("has a number for each further server of its folder and port, up to a limit")
    func numbered() async throws {
        let folder = TemporaryFolder()
        var limits = RoomsFile.Limits()
        limits.filesInFolder = 3
        let first = try #require(await open(folder, limits))
        /// Writes a room as a process that ends at once.
        func visit() async throws -> Identifier {
            let file = try #require(await open(folder, limits))
            #expect(write(7, in: file.storage()) != nil)
            return file.identity
        }
        let identity = try await visit()
        // The first number that is free is that of the server that has ended, and its rooms go on.
        let next = try #require(await open(folder, limits))
        #expect(next.identity == identity && identity != first.identity)
        #expect(next.saved.map(\.id) == [Identifier(value: 7)])
        let third = try #require(await open(folder, limits))
        #expect(third.saved.isEmpty)
        #expect(await open(folder, limits) == nil)
        withExtendedLifetime((first, next, third)) {}
    }

    @Test("that cannot be is done without", arguments: ["/dev/null/x", "/proc/self/x", "/proc"])
    func unwritable(path: String) async throws {
        #expect(await RoomsFile.open(in: path, port: 1, now: Self.opens) == nil)
        let folder = TemporaryFolder()
        mkdir("\(folder.path)/rooms-1", 0o700)
        #expect(await open(folder) == nil)
        struct NoBoot: Error {}
        #expect(
            await RoomsFile.open(in: folder.path, port: 2, bootID: { throw NoBoot() }, now: Self.opens) == nil
        )
    }

    @Test("has a limit, beyond which rooms are not kept; what was freed can be used again")
    func full() async throws {
        let folder = TemporaryFolder()
        var limits = RoomsFile.Limits()
        limits.maximumBytes = 128 * 512
        limits.stepBytes = 32 * 512
        limits.blocksAtOnce = 8
        let file = try #require(await open(folder, limits))
        let storage = file.storage()
        var records: [RoomRecord] = []
        while let record = write(records.count + 1, in: storage) {
            records.append(record)
        }
        // Each room takes four blocks, and one block is the header.
        #expect(records.count == 127 / 4)
        records.first?.free()
        #expect(write(1000, in: storage) != nil)
    }

    @Test("does not stay large once its rooms are over")
    func shrinks() async throws {
        let folder = TemporaryFolder()
        try await leave(1000, in: folder)
        var status = stat()
        #expect(stat("\(folder.path)/rooms-1", &status) == 0 && status.st_size > 1 << 20)
        let later = await RoomsFile.open(
            in: folder.path, port: 1, bootID: { Identifier(value: 77) }, now: Self.closes)
        #expect(later?.saved.isEmpty == true)
        #expect(stat("\(folder.path)/rooms-1", &status) == 0 && status.st_size == 1 << 20)
    }

    @Test("says which start of the machine this is")
    func boot() throws {
        #expect(try BootID.current() == BootID.current())
        #expect(try BootID.current().value != 0)
    }
}

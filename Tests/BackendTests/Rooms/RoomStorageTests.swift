import Contract
import TestKit
import Testing

@testable import API
@testable import Rooms

/// The requirements of every storage.
@Suite("A storage of rooms")
struct RoomStorageTests {
    enum Kind: CaseIterable { case memory, file }

    /// Lends an empty storage to the body.
    private func with(_ kind: Kind, _ body: (any RoomStorage) throws -> Void) async throws {
        switch kind {
        case .memory: try body(MemoryRoomStorage(maximumBlocks: 1000))
        case .file:
            let folder = TemporaryFolder()
            var limits = RoomsFile.Limits()
            limits.stepBytes = 64 * 512
            limits.maximumBytes = 1024 * 512
            let file = await RoomsFile.open(
                in: folder.path, port: 1, limits: limits, now: Timestamp(seconds: 1_800_000_000))
            try body(try #require(file).storage())
        }
    }

    @Test("keeps each word of each block for itself", arguments: Kind.allCases)
    func words(kind: Kind) async throws {
        try await with(kind) { storage in
            let blocks = (0..<300).compactMap { _ in storage.takeBlock() }
            #expect(Set(blocks).count == 300)
            for block in blocks {
                #expect(block >= 0 && block < storage.blockCount)
                for word in 0..<RoomBlock.words {
                    storage.store(UInt64(block * 1000 + word), at: word, of: block)
                }
            }
            for block in blocks {
                #expect(
                    (0..<RoomBlock.words).allSatisfy {
                        storage.load($0, of: block) == UInt64(block * 1000 + $0)
                    })
            }
        }
    }

    @Test("lends a block once until it comes back, and in the end none", arguments: Kind.allCases)
    func lends(kind: Kind) async throws {
        try await with(kind) { storage in
            var taken: [Int] = []
            while let block = storage.takeBlock() { taken.append(block) }
            #expect(taken.count > 900 && Set(taken).count == taken.count)
            for block in taken.prefix(10) { storage.giveBack(block) }
            let again = (0..<10).compactMap { _ in storage.takeBlock() }
            #expect(Set(again) == Set(taken.prefix(10)))
            #expect(storage.takeBlock() == nil)
        }
    }

    @Test("holds rooms that can be read from it", arguments: Kind.allCases)
    func rooms(kind: Kind) async throws {
        try await with(kind) { storage in
            let opens = Timestamp(seconds: 1_800_000_000)
            for number in 1...20 {
                let record = try #require(
                    RoomRecord(
                        Identifier(value: UInt128(number)), term: 1, epoch: UInt64(number), origin: opens,
                        closesAt: opens.adding(.seconds(1)), in: storage, RoomLogLayout()))
                for sender in 0..<40 { #expect(record.add(Identifier(value: UInt128(sender)))) }
                for ale in 1...130 {
                    #expect(record.append(UInt64(ale % 40), number: Int64(ale), messageId: nil))
                }
            }
            let rooms = SavedRoom.readAll(in: storage, RoomLogLayout(), now: opens)
            #expect(Set(rooms.map(\.id)) == Set((1...20).map { Identifier(value: UInt128($0)) }))
            for room in rooms {
                #expect(room.senders.map(\.registration) == (0..<40).map { Identifier(value: UInt128($0)) })
                #expect(room.ales == (1...130).map { UInt64($0 % 40) })
            }
        }
    }
}

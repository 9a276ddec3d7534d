import ClientTesting
import Contract
import Glibc
import Reactor
import TestKit
import Testing

@testable import Client

@Suite("The queue's disk")
struct SlowDiskTests {
    /// Returns a disk whose writing waits for a byte in the pipe.
    private static func disk(waitingFor pipe: CInt) -> Disk {
        Disk(
            write: { Glibc.write($0, $1.baseAddress, $1.count) },
            sync: { _ in
                var byte: UInt8 = 0
                return read(pipe, &byte, 1) == 1 ? 0 : -1
            })
    }

    @Test("is waited for by the message alone, and not by the connection", .timeLimit(.minutes(5)))
    func slow() async throws {
        let file = QueueFile()
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        // The first byte lets the new file's header be written.
        #expect(write(writing, "x", 1) == 1)
        let count = Lock<Int64>(0)
        let play = try await RoomPlay { configuration in
            configuration.queuePath = file.path
            configuration.disk = Self.disk(waitingFor: reading)
        } _: { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            part.send(.ack(messageId: messageId, seq: count.countUp()))
        }
        let connection = play.connection
        try await connection.waitUntilConnected()
        async let first = connection.send(.ale(id: "first"), by: .liveElseQueued)
        async let second = connection.send(.ale(id: "second"), by: .liveElseQueued)
        // A message that is not queued on the disk is sent meanwhile.
        #expect(try await connection.send(.ale(id: "live"), by: .liveOnly) == .acknowledged(seq: 1))
        #expect(await connection.queueDepth == 0)
        #expect(write(writing, "xx", 2) == 2)
        let deliveries = try await [first, second]
        #expect(Set(deliveries) == [.acknowledged(seq: 2), .acknowledged(seq: 3)])
        await connection.stop()
    }

    @Test("may be on its way with a message that is taken back", .timeLimit(.minutes(5)))
    func takenBack() async throws {
        let file = QueueFile()
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        #expect(write(writing, "x", 1) == 1)
        do {
            let play = try await RoomPlay { configuration in
                configuration.queuePath = file.path
                configuration.disk = Self.disk(waitingFor: reading)
            } _: { _ in
            }
            let connection = play.connection
            #expect(write(writing, "x", 1) == 1)
            #expect(try await connection.send(.ale(id: "kept"), by: .queuedOnly) == .queued)
            async let sending = connection.send(.ale(id: "gone"), by: .queuedOnly)
            async let cancelled = connection.cancel("gone")
            #expect(write(writing, "x", 1) == 1)
            _ = try await sending
            // The order of the two calls is undetermined.
            if try await !cancelled { #expect(try await connection.cancel("gone")) }
            #expect(await connection.queuedMessages.map(\.id) == ["kept"])
        }
        let next = try DiskQueue(limit: 9, overflow: .refuseNewest, path: file.path, disk: Disk())
        #expect(next.recovered.map(\.id) == ["kept"])
    }

    @Test("may be full by the kernel's word: one error, and nothing that was taken is lost")
    func limited() async throws {
        let file = QueueFile()
        let probe = try await ChildProcess.run(.init(try pathOfBuilt("queue-probe"), [file.path]))
        let answer = probe.output()
        let lines = answer.split(separator: "\n")
        try #require(lines.count == 2, "\(answer)")
        let parts = lines[0].split(separator: ":", maxSplits: 1)
        let taken = try #require(Int(parts[0]), "\(answer)")
        #expect(taken > 50)
        #expect(
            parts[1]
                == " The queue \(file.path) cannot be written: File too large. What it took before is kept.")
        #expect(lines[1] == "\(taken + 1)")
        let queue = try OutgoingQueue(path: file.path)
        #expect(queue.messages.map(\.id) == (1...taken).map { "\($0)" } + ["last"])
    }
}

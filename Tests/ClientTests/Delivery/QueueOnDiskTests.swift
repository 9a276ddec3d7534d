import Glibc
import Reactor
import Testing

@testable import Client

@Suite("A queue on disk")
struct QueueOnDiskTests {
    private func isStorage(_ error: ClientError?, naming path: String) -> Bool {
        if case .storage(let detail)? = error { "\(detail)".contains(path) } else { false }
    }

    @Test("is there when the next process opens it, for its owner only")
    func reopens() throws {
        let file = QueueFile()
        do {
            var queue = try OutgoingQueue(path: file.path)
            for number in 1...4 { try queue.append(.numbered(number, bytes: 100)) }
            try queue.acknowledge("2")
            try queue.replaceLatest(.numbered(5, type: "mood"))
        }
        #expect(file.names == ["queue", "queue.lock"])
        #expect(file.mode("queue") == 0o600)
        #expect(file.mode("queue.lock") == 0o600)
        chmod(file.path, 0o644)
        let queue = try OutgoingQueue(path: file.path)
        #expect(
            queue.messages == [
                .numbered(1, bytes: 100), .numbered(3, bytes: 100), .numbered(4, bytes: 100),
                .numbered(5, type: "mood"),
            ])
        #expect(file.mode("queue") == 0o600)
    }

    @Test("keeps more than its limit where the file has more, and refuses new ones until there is room")
    func overLimit() throws {
        let file = QueueFile()
        do {
            var queue = try OutgoingQueue(path: file.path)
            for number in 1...4 { try queue.append(.numbered(number)) }
        }
        var queue = try OutgoingQueue(limit: 2, path: file.path)
        #expect(queue.count == 4)
        #expect(throws: ClientError.queueFull(limit: 2)) { try queue.append(.numbered(5)) }
        #expect(queue.count == 4)
    }

    @Test("belongs to one at a time")
    func lock() throws {
        let file = QueueFile()
        do {
            let queue = try OutgoingQueue(path: file.path)
            let error = #expect(throws: ClientError.self) { try OutgoingQueue(path: file.path) }
            #expect(isStorage(error, naming: file.path))
            #expect(queue.isEmpty)
        }
        _ = try OutgoingQueue(path: file.path)
    }

    @Test("becomes small again when nothing waits, and when most of it is history")
    func tidies() throws {
        let file = QueueFile()
        var queue = try OutgoingQueue(path: file.path)
        let large = 4000
        for number in 1...100 {
            try queue.append(.numbered(number, bytes: large))
            if number > 3 { try queue.acknowledge("\(number - 3)") }
        }
        #expect(try file.bytes.count < 3 * OutgoingJournal.tidyBytes)
        #expect(try file.bytes.count >= 3 * large)
        #expect(file.names == ["queue", "queue.lock"])
        #expect(file.mode("queue") == 0o600)
        #expect(try queue.cancelAll() == 3)
        #expect(try file.bytes == JournalScan.signature)
        try queue.append(.numbered(101))
        #expect(try JournalScan(file.bytes) == .messages([.numbered(101)], length: file.bytes.count))
    }

    @Test("leaves alone what is no queue")
    func foreign() throws {
        let file = QueueFile()
        let text = Array("my letters, which I need".utf8)
        try file.write(text)
        let error = #expect(throws: ClientError.self) { try OutgoingQueue(path: file.path) }
        #expect(isStorage(error, naming: file.path))
        #expect(try file.bytes == text)
        for target in ["/dev/full", "/dev/null", "."] {
            let path = "\(file.folder)/link"
            symlink(target, path)
            let error = #expect(throws: ClientError.self) { try OutgoingQueue(path: path) }
            #expect(isStorage(error, naming: path))
            unlink(path)
        }
        let nowhere = "\(file.folder)/none/queue"
        let missing = #expect(throws: ClientError.self) { try OutgoingQueue(path: nowhere) }
        #expect(isStorage(missing, naming: nowhere))
    }

    @Test("that is damaged is put aside under a name in the error, and the next one is empty")
    func damaged() throws {
        let file = QueueFile()
        for number in 1...2 {
            do {
                var queue = try OutgoingQueue(path: file.path)
                try queue.append(.numbered(1, bytes: 50))
                try queue.append(.numbered(2, bytes: 50))
            }
            var bytes = try file.bytes
            bytes[40] ^= 0x10
            try file.write(bytes)
            let error = #expect(throws: ClientError.self) { try OutgoingQueue(path: file.path) }
            #expect(isStorage(error, naming: "\(file.path).damaged-\(number)"))
            #expect(file.names.contains("queue.damaged-\(number)"))
            #expect(try OutgoingQueue(path: file.path).isEmpty)
        }
    }

    /// Returns a disk with that much room.
    private static func disk(room: Lock<Int>) -> Disk {
        Disk(
            write: { descriptor, bytes in
                let room = room.withLock { room in
                    let taken = min(room, bytes.count)
                    room -= taken
                    return taken
                }
                if room == 0 {
                    errno = ENOSPC
                    return -1
                }
                return Glibc.write(descriptor, bytes.baseAddress, room)
            },
            sync: { fdatasync($0) })
    }

    @Test("on a disk that is full refuses the message, and loses none that it took", arguments: 0..<136)
    func full(room: Int) throws {
        let file = QueueFile()
        _ = try OutgoingQueue(path: file.path)
        let left = Lock(room)
        do {
            var queue = try OutgoingQueue(
                limit: 9, overflow: .refuseNewest, path: file.path, disk: Self.disk(room: left))
            var taken: [OutgoingMessage] = []
            var refusals = 0
            for number in 1...4 {
                do throws(ClientError) {
                    try queue.append(.numbered(number))
                    taken.append(.numbered(number))
                } catch {
                    refusals += 1
                    #expect(isStorage(error, naming: file.path))
                    #expect(error.detail.contains("No space left on device"))
                }
                #expect(queue.messages == taken)
                #expect(try JournalScan(file.bytes) == .messages(taken, length: file.bytes.count))
            }
            #expect(refusals > 0)
            // With room again the queue works.
            left.withLock { $0 = 1000 }
            try queue.append(.numbered(5))
            #expect(queue.messages == taken + [.numbered(5)])
        }
        #expect(try OutgoingQueue(path: file.path).messages.last == .numbered(5))
    }

    @Test("on a disk that is full settles messages all the same, and writes it down when it can")
    func settlesWhenFull() throws {
        let file = QueueFile()
        let room = Lock(1000)
        do {
            var queue = try OutgoingQueue(
                limit: 9, overflow: .refuseNewest, path: file.path, disk: Self.disk(room: room))
            for number in 1...3 { try queue.append(.numbered(number)) }
            room.withLock { $0 = 0 }
            #expect(throws: ClientError.self) { try queue.acknowledge("1") }
            #expect(throws: ClientError.self) { try queue.cancel("2") }
            #expect(queue.messages == [.numbered(3)])
            #expect(
                try JournalScan(file.bytes)
                    == .messages((1...3).map { .numbered($0) }, length: file.bytes.count))
            room.withLock { $0 = 1000 }
            try queue.append(.numbered(4))
            #expect(
                try JournalScan(file.bytes)
                    == .messages([.numbered(3), .numbered(4)], length: file.bytes.count))
            // The last cancelling needs no room.
            room.withLock { $0 = 0 }
            #expect(try queue.cancelAll() == 2)
        }
        #expect(try OutgoingQueue(path: file.path).isEmpty)
    }

    @Test("does not take what the device does not")
    func syncFails() throws {
        let file = QueueFile()
        _ = try OutgoingQueue(path: file.path)
        var disk = Disk()
        disk.sync = { _ in
            errno = EIO
            return -1
        }
        do {
            var queue = try OutgoingQueue(limit: 9, overflow: .refuseNewest, path: file.path, disk: disk)
            #expect(throws: ClientError.self) { try queue.append(.numbered(1)) }
            #expect(queue.isEmpty)
        }
        #expect(try OutgoingQueue(path: file.path).isEmpty)
    }
}

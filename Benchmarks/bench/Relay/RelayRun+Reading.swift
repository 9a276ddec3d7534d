import Glibc
import Reactor
import WebSocket

extension RelayRun {
    /// Reads once: the socket reports again when it has more.
    mutating func read(_ member: Int) {
        let kept = Int(members[member].restBytes)
        if kept > 0, let rest = members[member].rest { input.copyMemory(from: rest, byteCount: kept) }
        let count = recv(members[member].descriptor, input + kept, Self.inputBytes - kept, 0)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        guard count > 0 else {
            return lose(
                member, count == 0 ? "the server closed" : "recv: \(String(cString: strerror(errno)))")
        }
        let now = Monotonic.nanoseconds()
        let bytes = UnsafeRawBufferPointer(start: input, count: kept + count)
        var taken = 0
        if members[member].phase == .asking {
            taken = takeAnswer(member, bytes)
            if taken == 0 { return keep(member, bytes[...]) }
        }
        taken += takeFrames(member, UnsafeRawBufferPointer(rebasing: bytes[taken...]), now)
        keep(member, bytes[taken...])
    }

    /// Takes whole frames, and returns their length in bytes.
    private mutating func takeFrames(_ member: Int, _ bytes: UnsafeRawBufferPointer, _ now: UInt64) -> Int {
        var taken = 0
        while bytes.count - taken >= 2 && members[member].phase != .gone {
            let first = bytes[taken]
            var length = Int(bytes[taken + 1])
            var head = 2
            if length == 126 {
                head = 4
                guard bytes.count - taken >= head else { break }
                length = Int(bytes[taken + 2]) << 8 | Int(bytes[taken + 3])
            }
            guard first & 0x80 != 0, length < 126 || head == 4 else {
                lose(member, "a frame that is fragmented, masked or longer than 65,535 bytes")
                break
            }
            guard bytes.count - taken >= head + length else { break }
            let text = UnsafeRawBufferPointer(rebasing: bytes[(taken + head)..<(taken + head + length)])
            take(member, opcode: first & 0x7F, text, now)
            taken += head + length
        }
        return taken
    }

    private mutating func take(_ member: Int, opcode: UInt8, _ text: UnsafeRawBufferPointer, _ now: UInt64) {
        switch Opcode(rawValue: opcode) {
        case .binary, .text:
            // Version 1 is binary, version 2 is text.
            guard (opcode == Opcode.binary.rawValue) == (plan.version == 1) else {
                return complain("a frame of the wrong type")
            }
            takeMessage(member, text, now)
        case .ping:
            members[member].owesPong = true
            flush(member)
        case .pong: break
        case .close:
            let code = text.count < 2 ? 1005 : Int(text[0]) << 8 | Int(text[1])
            lose(member, "the server closed with \(code)")
        case .continuation, nil: lose(member, "a frame with opcode \(opcode)")
        }
    }

    private mutating func takeMessage(_ member: Int, _ text: UnsafeRawBufferPointer, _ now: UInt64) {
        if members[member].phase == .greeting { return greeted(member, text, now) }
        if plan.version == 1 {
            guard AleText.isVersion1(text) else { return complain(String(decoding: text, as: UTF8.self)) }
            return arrived(member, now)
        }
        guard let (from, number) = AleText.readVersion2(text) else {
            if !AleText.isChange(text) { complain(String(decoding: text, as: UTF8.self)) }
            return
        }
        // The numbers of a room's ales rise, and the sender is another of its members.
        if number <= members[member].lastNumber {
            ledger.tally.doubled += 1
            return
        }
        members[member].lastNumber = number
        let own = ids + member * AleText.idBytes
        if memcmp(from, own, AleText.idBytes) == 0 {
            ledger.tally.echoed += 1
            return
        }
        if !isInRoom(of: member, from) {
            ledger.tally.misrouted += 1
            return
        }
        arrived(member, now)
    }

    private func isInRoom(of member: Int, _ id: UnsafeRawPointer) -> Bool {
        let first = member - member % plan.roomSize
        for other in first..<(first + plan.roomSize)
        where memcmp(id, ids + other * AleText.idBytes, AleText.idBytes) == 0 { return true }
        return false
    }

    private mutating func arrived(_ member: Int, _ now: UInt64) {
        switch stage {
        case .connecting: ledger.tally.unexplained += 1
        case .probing: probeArrived(member)
        case .loading: if ledger.receive(at: member, now) { touch(room: member / plan.roomSize) }
        }
    }

    /// Keeps an incomplete message until its end arrives.
    private mutating func keep(_ member: Int, _ bytes: Slice<UnsafeRawBufferPointer>) {
        members[member].restBytes = Int32(bytes.count)
        guard !bytes.isEmpty else { return }
        guard bytes.count < Self.inputBytes else { return lose(member, "a message without an end") }
        members[member].rest?.deallocate()
        let rest = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        rest.copyBytes(from: bytes)
        members[member].rest = rest.baseAddress
    }
}

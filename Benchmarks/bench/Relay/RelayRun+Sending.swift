import CLinux
import Glibc
import Reactor
import WebSocket

extension RelayRun {
    /// An empty pong, with a key of zeros.
    private static let pong: [UInt8] = [0x80 | Opcode.pong.rawValue, 0x80, 0, 0, 0, 0]

    /// Sends the member's queued frames, all of them in one call where they fit.
    mutating func flush(_ member: Int) {
        while members[member].phase == .ready {
            let isBetweenFrames = members[member].sentBytes == 0
            if members[member].owesPong && isBetweenFrames {
                let count = send(members[member].descriptor, Self.pong, Self.pong.count, CInt(MSG_NOSIGNAL))
                if count != Self.pong.count { return block(member, sent: count) }
                members[member].owesPong = false
            }
            guard members[member].queued > 0 else { break }
            let bytes = queuedBytes(of: member)
            let count = send(members[member].descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            if count < 0 { return block(member, sent: count) }
            let left = Int(members[member].sentBytes) + count
            members[member].queued -= Int32(left / frames.frameBytes)
            members[member].sentBytes = Int32(left % frames.frameBytes)
            if count < bytes.count { return block(member, sent: count) }
        }
        if members[member].isBlocked && members[member].phase == .ready {
            watch(member, EPOLL_CTL_MOD, isBlocked: false)
        }
    }

    private func queuedBytes(of member: Int) -> UnsafeRawBufferPointer {
        let frame = frames.frame(of: member)
        let size = frames.frameBytes
        let count = min(Int(members[member].queued), Self.outputBytes / size)
        let sent = Int(members[member].sentBytes)
        if count == 1 { return UnsafeRawBufferPointer(start: frame + sent, count: size - sent) }
        for index in 0..<count { (output + index * size).copyMemory(from: frame, byteCount: size) }
        return UnsafeRawBufferPointer(start: output + sent, count: count * size - sent)
    }

    private mutating func block(_ member: Int, sent: Int) {
        if sent < 0 && errno != EAGAIN && errno != EINTR {
            return lose(member, "send: \(String(cString: strerror(errno)))")
        }
        if !members[member].isBlocked { watch(member, EPOLL_CTL_MOD, isBlocked: true) }
    }
}

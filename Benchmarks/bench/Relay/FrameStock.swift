import Contract
import WebSocket

/// The frame of each member, which it sends again and again. All have the same length.
///
/// Unsafe memory: `bytes` holds `frameBytes` for each member.
struct FrameStock: ~Copyable {
    let frameBytes: Int
    private let bytes: UnsafeMutableRawPointer

    init(_ plan: RelayPlan) throws(BenchError) {
        var all: [UInt8] = []
        for path in plan.paths {
            let message = #"{"type":"ale","id":"\#(try RelayPlan.room(of: path))"}"#
            let opcode = plan.version == 1 ? Opcode.binary : .text
            FrameEncoder.maskedFrame(
                opcode, Array(message.utf8), key: UInt32.random(in: 0x0101_0101 ... .max), into: &all)
        }
        frameBytes = all.count / plan.memberCount
        bytes = .allocate(byteCount: all.count, alignment: 64)
        bytes.copyMemory(from: all, byteCount: all.count)
    }

    deinit { bytes.deallocate() }

    func frame(of member: Int) -> UnsafeMutableRawPointer { bytes + member * frameBytes }
}

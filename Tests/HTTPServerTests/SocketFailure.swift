import CLinux
import Glibc

/// The failure of `socket` in one thread, by a filter of its system calls (seccomp(2)). A limit of the
/// process would starve the tests beside it. The filter lasts as long as the thread.
enum SocketFailure {
    /// An instruction of a filter, `sock_filter` in C.
    private struct Instruction {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var operand: UInt32
    }

    /// A filter, `sock_fprog` in C.
    private struct Program {
        var count: UInt16
        var first: UnsafePointer<Instruction>?
    }

    private typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt

    #if arch(x86_64)
        private static let socketCall: UInt32 = 41
    #else
        private static let socketCall: UInt32 = 198
    #endif

    /// Has `socket` fail with this code in the calling thread. Returns false if the kernel has no filters.
    static func begin(with code: CInt) -> Bool {
        guard let symbol = dlsym(nil, "prctl") else { return false }
        // The registers of a call with variable arguments are the same here.
        let control = unsafeBitCast(symbol, to: Control.self)
        let instructions = [
            Instruction(code: 0x20, operand: 0),  // loads the number of the call
            Instruction(code: 0x15, ifFalse: 1, operand: socketCall),
            Instruction(code: 0x06, operand: 0x0005_0000 | UInt32(code)),  // fails with the code
            Instruction(code: 0x06, operand: 0x7fff_0000),  // permits the call
        ]
        return instructions.withUnsafeBufferPointer { buffer in
            let program = Program(count: UInt16(buffer.count), first: buffer.baseAddress)
            return withUnsafePointer(to: program) { program in
                // PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER
                control(38, 1, 0, 0, 0) == 0 && control(22, 2, UInt(bitPattern: program), 0, 0) == 0
            }
        }
    }
}

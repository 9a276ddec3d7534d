import Glibc
import Reactor
import Testing

/// A user at a terminal, who sees the screen and types.
final class TerminalSession: EventHandler, @unchecked Sendable {
    // Unchecked: every variable is used on the loop's thread only.
    private struct Waiter {
        let condition: @Sendable (TerminalScreen) -> Bool
        let continuation: CheckedContinuation<TerminalScreen, Never>
    }

    /// The longest wait; the test then judges what is displayed.
    private static let patience = Duration.seconds(60)

    private let group: EventLoopGroup
    private let pseudoTerminal: PseudoTerminal
    private var screen: TerminalScreen
    private var waiters: [UInt64: Waiter] = [:]
    private var lastWaiter: UInt64 = 0
    private var hasEnded = false

    private var loop: EventLoop { group.loops[0] }

    init(
        _ path: String, _ arguments: [String], _ environment: [String], columns: Int = 80, rows: Int = 24
    ) async throws {
        group = try EventLoopGroup(count: 1, name: "terminal")
        screen = TerminalScreen(columns: columns, rows: rows)
        pseudoTerminal = try PseudoTerminal(path, arguments, environment, columns: columns, rows: rows)
        let terminal = pseudoTerminal.terminal
        _ = fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK)
        try await loop.submit { [self] in
            Result { try loop.register(terminal, .readable, handler: self) }
        }.get()
    }

    /// Waits until the condition holds for the screen, and returns it; records an issue after `patience`.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable (TerminalScreen) -> Bool
    ) async -> TerminalScreen {
        let screen = await watch(condition)
        if !condition(screen) {
            Issue.record("It is not shown:\n\(screen.text)", sourceLocation: sourceLocation)
        }
        return screen
    }

    @discardableResult
    func wait(
        for text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TerminalScreen {
        await wait(sourceLocation: sourceLocation) { $0.text.contains(text) }
    }

    private func watch(_ condition: @escaping @Sendable (TerminalScreen) -> Bool) async -> TerminalScreen {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                if hasEnded || condition(screen) { return continuation.resume(returning: screen) }
                lastWaiter += 1
                let number = lastWaiter
                waiters[number] = Waiter(condition: condition, continuation: continuation)
                loop.schedule(after: Self.patience) { [weak self] in
                    guard let self else { return }
                    waiters.removeValue(forKey: number)?.continuation.resume(returning: screen)
                }
            }
        }
    }

    func type(_ text: String) { _ = write(pseudoTerminal.terminal, text, text.utf8.count) }

    func resize(columns: Int, rows: Int) async {
        await loop.submit { [self] in
            screen.resize(columns: columns, rows: rows)
            PseudoTerminal.resize(pseudoTerminal.terminal, columns, rows)
        }
    }

    func signal(_ number: Int32) { kill(pseudoTerminal.process, number) }

    /// Whether lines are edited and echoed, as a shell expects it.
    var isCooked: Bool {
        var mode = termios()
        tcgetattr(pseudoTerminal.terminal, &mode)
        return mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    /// Leaves the command by its key, and expects its success.
    func quit(sourceLocation: SourceLocation = #_sourceLocation) async {
        type("q")
        #expect(await end().status == 0, sourceLocation: sourceLocation)
    }

    /// Returns the last screen and the exit status, once all output has been read.
    func end() async -> (screen: TerminalScreen, status: Int32) {
        let screen = await watch { _ in false }
        if await !loop.submit({ [self] in hasEnded }) { kill(pseudoTerminal.process, SIGKILL) }
        var status: Int32 = 0
        waitpid(pseudoTerminal.process, &status, 0)
        await loop.submit { [self] in loop.unregister(pseudoTerminal.terminal) }
        close(pseudoTerminal.terminal)
        group.shutdown()
        return (screen, status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
    }

    func ready(_ events: EventSet) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(pseudoTerminal.terminal, &buffer, buffer.count)
            if count > 0 {
                screen.receive(buffer[..<count])
            } else if count < 0 && (errno == EAGAIN || errno == EINTR) {
                break
            } else {
                // EIO: the other side is not open any more.
                hasEnded = true
                loop.unregister(pseudoTerminal.terminal)
                break
            }
        }
        for (number, waiter) in waiters where hasEnded || waiter.condition(screen) {
            waiters[number] = nil
            waiter.continuation.resume(returning: screen)
        }
    }
}

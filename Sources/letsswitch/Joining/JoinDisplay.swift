import Glibc
import Reactor

/// A join on the terminal's other screen, drawn anew with every change, every second and every resize. Loop
/// only.
final class JoinDisplay: JoinView {
    private let loop: EventLoop
    private let tick: () -> Void
    private var timer: EventLoop.Timer?
    private var resizes: SignalWatcher?

    init(on loop: EventLoop, tick: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.tick = tick
        resizes = try SignalWatcher([SIGWINCH], on: loop) { _ in tick() }
        TerminalMode.enterScreen()
        scheduleTick()
    }

    func show(_ model: JoinModel, _ news: JoinNews?) {
        let (columns, rows) = TerminalMode.size
        let lines = JoinScreen.lines(model, now: WallClock.now, columns: columns, rows: rows)
        let frame = JoinScreen.frame(lines)
        _ = Glibc.write(STDOUT_FILENO, frame, frame.utf8.count)
    }

    func end() {
        if let timer { loop.cancel(timer) }
        timer = nil
        resizes?.stop()
        resizes = nil
        TerminalMode.restore()
    }

    private func scheduleTick() {
        timer = loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            tick()
            scheduleTick()
        }
    }
}

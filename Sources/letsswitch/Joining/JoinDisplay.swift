import Contract
import Glibc
import Reactor

/// A join on the terminal's alternate screen, drawn again with every change, every second and every resize.
/// Loop only.
final class JoinDisplay: JoinView {
    private let loop: EventLoop
    private let tick: () -> Void
    private var painter: ScreenPainter
    private var timer: EventLoop.Timer?
    private var resizes: SignalWatcher?
    /// The offset of the server's clock. Ticks follow the server's seconds, so that a countdown jumps when
    /// they do.
    private var clockOffset = Duration.zero
    /// The sounds of the terminal; nil: there are none.
    private var sound: JoinSound?

    init(
        on loop: EventLoop, hasColor: Bool, hasSound: Bool, tick: @escaping () -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.tick = tick
        sound = hasSound ? JoinSound() : nil
        painter = ScreenPainter(hasColor: hasColor)
        // The signal is also sent when another program used the screen meanwhile.
        resizes = try SignalWatcher([SIGWINCH], on: loop) { [weak self] _ in
            self?.painter.forget()
            tick()
        }
        TerminalMode.enterScreen()
        scheduleTick()
    }

    func show(_ model: JoinModel, _ joinEvent: JoinEvent?) {
        clockOffset = model.clockOffset
        let (columns, rows) = TerminalMode.size
        let screen = JoinScreen(
            model: model, now: WallClock.now, columns: columns, rows: rows, charset: .current)
        Console.write(painter.paint(screen.lines(), columns: columns))
        if sound?.sounds(model, joinEvent, at: WallClock.now) == true { Console.write(JoinSound.character) }
    }

    func end() {
        if let timer = timer.take() { loop.cancel(timer) }
        resizes.take()?.stop()
        TerminalMode.restore()
    }

    private func scheduleTick() {
        let microseconds = WallClock.now.adding(clockOffset).microseconds
        let rest = 1_000_000 - (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        timer = loop.schedule(after: .microseconds(rest)) { [weak self] in
            guard let self else { return }
            tick()
            scheduleTick()
        }
    }
}

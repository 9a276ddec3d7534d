import Contract
import TestKit

@testable import Backend
@testable import Scheduling

/// The clock of one process: its measured offset from the database's clock, on a monotonic clock, which its
/// alarms use too.
struct SimulatedClock: ScheduleClock {
    let world: SimulatedWorld
    let server: ServerHandle
    let reference: ReferenceClock

    func now() -> Timestamp {
        world.bug == .trustsClock
            ? world.inPlace { $0.machineClock(of: server.index) } : reference.now()
    }

    var isCertain: Bool { reference.isCertain }

    func monotonicNanoseconds() -> UInt64 { world.inPlace { UInt64($0.elapsed) * 1_000 } }

    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let alarm = world.inPlace { $0.setAlarm(of: server, after: delay, body) }
        return { [world, server] in world.inPlace { $0.cancelAlarm(alarm, of: server) } }
    }

    func sleep(for delay: Duration) async {
        await withCheckedContinuation { continuation in
            _ = wake(after: delay) { continuation.resume() }
        }
    }
}

extension SimulatedWorld {
    /// Returns the time of the machine's wall clock, which may be set and which the scheduler must not read.
    func machineClock(of server: Int) -> Timestamp {
        Timestamp(microseconds: now.microseconds + servers[server].offset)
    }

    /// Returns the monotonic clock of the machine, in microseconds. It may run a little too fast or too slow.
    func monotonic(of server: Int) -> Int64 {
        servers[server].origin + elapsed + elapsed / 1_000_000 * servers[server].drift
    }

    func setAlarm(
        of server: ServerHandle, after delay: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Int {
        servers[server.index].lastAlarm += 1
        let alarm = servers[server.index].lastAlarm
        servers[server.index].alarms[alarm] = body
        let loop = servers[server.index].loop
        let lateness = plan.isFaultless ? draw(0...500) : draw(0...5_000)
        after(delay.wholeMicroseconds + lateness + (bug == .wakesLate ? 2_000_000 : 0)) { world in
            guard world.servers[server.index].alarms[alarm] != nil else { return }
            loop.execute {
                let body = world.inPlace { $0.servers[server.index].alarms.removeValue(forKey: alarm) }
                body?()
            }
        }
        return alarm
    }

    func cancelAlarm(_ alarm: Int, of server: ServerHandle) {
        servers[server.index].alarms[alarm] = nil
    }
}

import Contract
import Reactor

/// Many devices in their rooms, which come back when they lose them. Its verbs may be called from anywhere.
struct Crowd: Sendable {
    private static let look = Duration.milliseconds(10)
    private static let patience = Duration.seconds(90)

    private let loop: EventLoop
    private let members: LoopBound<CrowdMembers>

    init(_ paths: [String], on loop: EventLoop) async {
        self.loop = loop
        members = await loop.submit { LoopBound(CrowdMembers(paths, on: loop), to: loop) }
    }

    /// Sets the server at which devices knock from now on, and whether they come back there by themselves
    /// when they lose their rooms.
    func use(_ server: MeasuredServer, comingBack: Bool) async throws {
        let address = try Loopback.address(port: server.port)
        await loop.submit { members.value.use(address, comingBack: comingBack) }
    }

    /// Has those of the devices knock that are not in their rooms, in that order.
    func knock(_ numbers: some Sequence<Int> & Sendable) async {
        await loop.submit { members.value.knock(numbers) }
    }

    /// Sends an ale from each device, and waits until each has heard that of the other in its room of two.
    func cheer() async throws {
        let expected = await loop.submit { members.value.heardCount + members.value.presentCount }
        await loop.submit {
            members.value.cheer { device in
                let room = (try? RelayPlan.room(of: device.path)).map { "\($0)" } ?? ""
                return Array(#"{"type":"ale","id":"\#(room)"}"#.utf8)
            }
        }
        let isHeard = try await Patience.wait(Self.patience, looking: Self.look) {
            await loop.submit { members.value.heardCount } >= expected
        }
        if !isHeard { throw BenchError.failed("Ales of the crowd were not heard.") }
    }

    /// Has all devices leave their rooms.
    func leave() async throws {
        await loop.submit { members.value.leave() }
        try await wait(untilPresent: 0)
    }

    var devices: [CrowdMember] {
        get async { await loop.submit { members.value.devices } }
    }

    /// Waits until so many devices are in their rooms.
    func wait(untilPresent count: Int) async throws {
        let isDone = try await Patience.wait(Self.patience, looking: Self.look) {
            await loop.submit { members.value.presentCount } == count
        }
        guard !isDone else { return }
        let present = await loop.submit { members.value.presentCount }
        throw BenchError.failed("\(present) devices are in their rooms, and should be \(count).")
    }

    /// Waits until each device is in its room that has lost it after the instant.
    func waitForReturn(since instant: UInt64) async throws {
        let isDone = try await Patience.wait(Self.patience, looking: Self.look * 10) {
            await devices.allSatisfy { $0.enteredAt ?? 0 > instant }
        }
        guard !isDone else { return }
        let count = await devices.count { $0.enteredAt ?? 0 <= instant }
        throw BenchError.failed("\(count) devices have not come back.")
    }
}

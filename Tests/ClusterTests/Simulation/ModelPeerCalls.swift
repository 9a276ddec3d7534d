import Contract
import HTTPServer
import Rooms
import TestKit

@testable import API
@testable import Cluster

/// The answer of another server.
enum CallResult<Value: Sendable>: Sendable {
    case answer(Value)
    /// Nothing listens there.
    case refused
    /// Another process than the expected one is there.
    case stranger(ProcessHandle)
    case noAnswer
}

/// The other servers as one process reaches them, over the network of the simulation.
struct ModelPeerCalls: PeerCalls {
    let world: ClusterWorld
    let handle: ProcessHandle

    private static let short: Int64 = 1_000_000
    private static let long: Int64 = 2_000_000

    var now: @Sendable () -> Timestamp { { [world] in world.inPlace { $0.now } } }

    func call<Value: Sendable>(
        _ address: String, _ expected: Identifier?, within timeout: Int64,
        _ body: @escaping @Sendable (SimulatedProcess) async -> Value?
    ) async -> CallResult<Value> {
        guard let index = ProcessHandle.index(at: address) else { return .noAnswer }
        return await withCheckedContinuation { continuation in
            world.inPlace { world in
                world.call(
                    index, from: handle, expecting: expected.map { ProcessHandle($0) }, within: timeout, body
                ) { continuation.resume(returning: $0) }
            }
        }
    }

    func probe(_ expected: Identifier, at address: String) async -> PeerTalk.Probe {
        switch await call(address, nil, within: Self.short, { $0.incarnation }) {
        case .answer(let found): found == expected ? .reached : .stranger(found)
        case .refused: .refused
        case .stranger, .noAnswer: .noAnswer("no answer")
        }
    }

    func reach(
        _ incarnation: Identifier, at address: String, from peer: Identifier, at peerAddress: String
    ) async -> TakeOver.Report {
        let result = await call(peerAddress, peer, within: Self.long) { process in
            await process.calls.probe(incarnation, at: address) == .reached
        }
        guard case .answer(let isReached) = result else { return .silent }
        return isReached ? .reached : .notReached
    }

    func terms(
        of rooms: [Identifier], from peer: Identifier, at address: String
    ) async -> [Identifier: Int32]? {
        let bug = world.bug
        let result = await call(address, peer, within: Self.short) { process in
            bug == .knowsNoTerms ? [:] : await process.known.terms(of: rooms)
        }
        guard case .answer(let terms) = result else { return nil }
        return terms
    }

    func offer(_ rooms: [UInt8], to peer: Identifier, at address: String) async -> Set<Identifier>? {
        let result = await call(address, peer, within: Self.long) { process -> [Identifier]? in
            guard let here = process.rooms, let arriving = here.arriving(in: rooms) else { return nil }
            return await here.keepWithBugs(arriving)
        }
        guard case .answer(let taken) = result else { return nil }
        return Set(taken)
    }

    func tellOwned(
        _ rooms: [Identifier], to peer: Identifier, at address: String
    ) async -> Set<Identifier>? {
        let result = await call(address, peer, within: Self.long) { process -> [Identifier]? in
            let opened = try? await process.rooms?.openArriving(rooms)
            process.world.inPlace { $0.history.toldOwned(rooms, at: process.handle, $0.database) }
            return opened
        }
        guard case .answer(let opened) = result else { return nil }
        return Set(opened)
    }
}

extension ClusterWorld {
    /// Sends a request of a process to the server at an index, and calls `done` with the answer.
    func call<Value: Sendable>(
        _ index: Int, from handle: ProcessHandle, expecting expected: ProcessHandle?, within timeout: Int64,
        _ body: @escaping @Sendable (SimulatedProcess) async -> Value?,
        _ done: @escaping @Sendable (CallResult<Value>) -> Void
    ) {
        guard isAlive(handle) else { return done(.noAnswer) }
        let number = number()
        let from = handle.index
        calls[number] = PendingCall(handle: handle) { _ in done(.noAnswer) }
        let answer: @Sendable (isolated ClusterWorld, CallResult<Value>) -> Void = { world, result in
            if world.calls.removeValue(forKey: number) != nil { done(result) }
        }
        after(timeout) { answer($0, .noAnswer) }
        if network.isRefused(from: from, to: index) { return after(delay()) { answer($0, .refused) } }
        guard network.isOpen(between: from, and: index), !network.isDeaf(index) else { return }
        after(delay()) { world in
            guard world.network.isOpen(from: from, to: index), world.servers[index].state != .lost else {
                return
            }
            guard let process = world.ready(index) else {
                let isDown = world.servers[index].state == .down
                return world.after(world.delay()) { answer($0, isDown ? .refused : .noAnswer) }
            }
            if let expected, process.handle != expected {
                return world.after(world.delay()) { answer($0, .stranger(process.handle)) }
            }
            world.start(on: process.background) {
                let value = await body(process)
                world.inPlace { world in
                    guard world.isAlive(process.handle) else { return }
                    world.after(world.delay()) { world in
                        guard world.network.isOpen(from: index, to: from) else { return }
                        answer(world, value.map { .answer($0) } ?? .noAnswer)
                    }
                }
            }
        }
    }
}

extension SimulatedRooms {
    /// As `keep`, with the planted bugs.
    fileprivate func keepWithBugs(_ arriving: [SavedRoom]) async -> [Identifier] {
        let kept = await keep(arriving)
        let world = process.world
        world.inPlace { world in
            for room in arriving where kept.contains(room.id) {
                world.history.keeps(room.id, room.term, at: process.handle)
            }
        }
        switch world.bug {
        case .losesArrivals: await submit(to: 0) { $0.forgetArriving(kept) }
        case .servesUnread:
            let rows = world.inPlace { world in
                kept.compactMap { id in world.database.rooms[id].map { (id, $0.members) } }
            }
            await host.apply(
                rows.map { id, members in
                    Membership(
                        room: id, revision: 1, opensAt: ClusterWorld.begin, startsAt: ClusterWorld.begin,
                        closesAt: ClusterWorld.begin.adding(.seconds(3600)), ales: 0, members: members,
                        moved: [:], owner: incarnation,
                        term: (arriving.first { $0.id == id }?.term ?? 0) + 1)
                })
        case .takesOldArrivals: await host.remember(arriving)
        default: break
        }
        return kept
    }
}

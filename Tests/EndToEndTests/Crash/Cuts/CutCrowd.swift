import Client
import Contract
import Glibc
import Reactor
import TestKit

/// A crowd or an attacker at one server of a siege, until its task is cancelled.
enum CutCrowd: CaseIterable, Sendable {
    /// Connections ask for something that takes a statement, and are reset before the answer.
    case resets
    /// Connections send the head of a request, and its body a byte at a time.
    case slowBodies
    /// People come late to a slot and cancel, by turns. It is not the slot of the siege's rooms.
    case flapping
    /// The server has few descriptors more than it uses, and connections that take them.
    case starvation

    private static let lanes = 20

    var name: String {
        switch self {
        case .resets: "crowds that reset"
        case .slowBodies: "crowds with slow bodies"
        case .flapping: "crowds that come and cancel"
        case .starvation: "starvations of descriptors"
        }
    }

    /// Works at the server until the task is cancelled, and leaves nothing behind. Calls that fail are tried
    /// again: other strikes hit the server meanwhile.
    func work(at server: ServerProcess, joining slot: Timestamp) async {
        if case .starvation = self { return await Self.starve(server) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.lanes {
                group.addTask {
                    while !Task.isCancelled {
                        switch self {
                        case .resets: await Self.reset(server)
                        case .slowBodies: await Self.trickle(to: server)
                        case .flapping: await Self.flap(at: server, slot)
                        case .starvation: return
                        }
                        try? await ContinuousClock().sleep(for: .milliseconds(50))
                    }
                }
            }
        }
    }

    private static func reset(_ server: ServerProcess) async {
        guard let wire = try? await Wire.connect(port: server.port) else { return }
        let request = "GET /v1/slots HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer lsu_unknown\r\n\r\n"
        await wire.setPaused(true)
        await wire.write(request + request)
        try? await ContinuousClock().sleep(for: .milliseconds(1))
        // Closing a socket with unread bytes resets it; so does an answer that comes later.
        await wire.close()
    }

    private static func trickle(to server: ServerProcess) async {
        guard let wire = try? await Wire.connect(port: server.port) else { return }
        await wire.write(
            "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                + "Content-Length: 200\r\n\r\n")
        for _ in 0..<200 where !Task.isCancelled {
            await wire.write(" ")
            try? await ContinuousClock().sleep(for: .milliseconds(100))
        }
        await wire.close()
    }

    private static func flap(at server: ServerProcess, _ slot: Timestamp) async {
        guard let person = try? await Person(named: "Flapping", on: server) else { return }
        while !Task.isCancelled {
            guard let made = try? await person.register(slot) else { return }
            do { try await person.api.cancel(made.id) } catch { return }
        }
    }

    private static func starve(_ server: ServerProcess) async {
        let process = server.child.processID
        var own = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own) == 0,
            let used = try? ProcessFigures(processID: process).descriptorCount()
        else { return }
        await limitOpenFiles(of: process, to: rlim_t(used + 20))
        var wires: [Wire] = []
        while !Task.isCancelled {
            if wires.count < 200, let wire = try? await Wire.connect(port: server.port) { wires.append(wire) }
            try? await ContinuousClock().sleep(for: .milliseconds(10))
        }
        for wire in wires { await wire.close() }
        // The server was started with the limit of this process.
        await limitOpenFiles(of: process, to: own.rlim_cur)
    }

    /// Sets the soft limit of a process's open files, also if the task is cancelled.
    private static func limitOpenFiles(of process: pid_t, to limit: rlim_t) async {
        await Task {
            _ = try? await Finished.run("prlimit", ["--pid", "\(process)", "--nofile=\(limit):"])
        }.value
    }
}

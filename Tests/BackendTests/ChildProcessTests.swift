import CLinux
import Glibc
import Reactor
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    private func shell(_ script: String, _ change: (inout ChildProcess.Command) -> Void = { _ in })
        async throws -> ChildProcess
    {
        var command = ChildProcess.Command("/bin/sh", ["-c", script])
        change(&command)
        return try await ChildProcess.run(command)
    }

    @Test("output, errors and exit code are the child's")
    func output() async throws {
        let child = try await shell("echo out; echo err >&2; exit 3")
        #expect(child.output() == "out\n")
        #expect(child.output(.standardError) == "err\n")
        #expect(await child.ending() == .exited(3))
    }

    @Test("a program that is not there is a system error")
    func missing() async {
        await #expect(throws: SystemError.failed(call: "/no/such/program", errno: ENOENT)) {
            try await ChildProcess.run(.init("/no/such/program"))
        }
    }

    @Test("input, environment and folder are what was asked for")
    func surroundings() async throws {
        let child = try await shell("cat; echo $ONE; pwd") {
            $0.input = "in\n"
            $0.environment = ["ONE": "1", "PATH": "/usr/bin:/bin"]
            $0.workingDirectory = "/"
        }
        #expect(child.output() == "in\n1\n/\n")
    }

    @Test("a child that runs for too long is killed")
    func timeLimit() async throws {
        let child = try await shell("exec sleep 1000") { $0.timeLimit = .milliseconds(50) }
        #expect(await child.ending() == .signalled(SIGKILL))
    }

    @Test("a grandchild that keeps the output open does not hold up the ending")
    func grandchild() async throws {
        let child = try await shell("sleep 1000 & echo $!")
        #expect(await child.ending() == .exited(0))
        let grandchild = try #require(pid_t(child.output().filter(\.isNumber)))
        kill(grandchild, SIGKILL)
    }

    @Test("no descriptor but the three streams reaches the child")
    func descriptors() async throws {
        let open = Glibc.open("/dev/null", O_RDONLY)
        defer { close(open) }
        let child = try await shell("test -e /proc/self/fd/\(open) && [ \(open) -gt 2 ] && echo leaked; true")
        #expect(child.output() == "")
    }

    @Test("waiting for a text ends with the text, or with the child")
    func hasPrinted() async throws {
        let child = try ChildProcess(.init("/bin/sh", ["-c", "echo listening; exec sleep 1000"]))
        #expect(await child.hasPrinted("listening"))
        child.signal(SIGTERM)
        #expect(await child.hasPrinted("never") == false)
        #expect(await child.ending() == .signalled(SIGTERM))
    }

    @Test("only the last of a long output is kept")
    func bounded() async throws {
        let child = try await shell("head -c 1000000 /dev/zero | tr '\\0' x; printf end")
        #expect(child.output().utf8.count == ChildProcess.outputLimit)
        #expect(child.output().hasSuffix("xend"))
    }
}

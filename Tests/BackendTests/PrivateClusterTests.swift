import CLinux
import Glibc
import Reactor
import TestKit
import Testing

@testable import PrivatePostgres

/// Tests of real clusters: made, started and stopped.
@Suite("Private cluster")
struct PrivateClusterTests {
    private func answer(_ cluster: PrivateCluster, _ query: String) async throws -> String {
        let psql = try await ChildProcess.run(.init("psql", ["-XAtc", query, cluster.databaseURL]))
        return psql.output() + psql.output(.standardError)
    }

    private func message(_ folder: String) async -> String? {
        do throws(ClusterError) {
            await (try PrivateCluster.start(dataDirectory: folder)).stop()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "the reason of a failure is its last error, and not what is said of cleaning up",
        arguments: [
            (
                """
                FATAL:  could not write lock file "postmaster.pid": No space left on device
                child process exited with exit code 1
                initdb: removing data directory "/data/new"
                """, "FATAL:  could not write lock file \"postmaster.pid\": No space left on device"
            ),
            ("initdb: error: no\ninitdb: removing data directory \"x\"\n", "initdb: error: no"),
            ("one\ntwo\n", "two"), ("", "it gave no reason"),
        ])
    func complaint(text: String, reason: String) {
        #expect(ClusterSetup.complaint(in: text) == reason)
    }

    @Test("what was stored is there after a stop and a start, and no port is open")
    func restart() async throws {
        let folder = TemporaryFolder()
        let first = try await PrivateCluster.start(dataDirectory: "\(folder.path)/new/deep")
        #expect(!first.wasAdopted)
        #expect(try await answer(first, "CREATE TABLE kept AS SELECT 42 AS n") == "SELECT 1\n")
        #expect(try await answer(first, "SHOW listen_addresses") == "\n")
        #expect(try await answer(first, "SHOW data_checksums") == "on\n")
        #expect(try await answer(first, "SHOW server_encoding") == "UTF8\n")
        await first.stop()
        await first.stop()
        #expect(SocketProbe.listener(at: "\(first.folder)/.s.PGSQL.5432") == nil)

        let second = try await PrivateCluster.start(dataDirectory: "\(folder.path)/new/deep")
        #expect(try await answer(second, "SELECT n FROM kept") == "42\n")
        await second.stop()
    }

    @Test("a socket's lock file whose number another process has does not keep PostgreSQL from starting")
    func staleSocketLock() async throws {
        let folder = TemporaryFolder()
        let first = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(try await answer(first, "SHOW jit") == "off\n")
        let lock = "\(first.folder)/.s.PGSQL.5432.lock"
        let left = try SmallFile.read(lock)
        await first.stop()
        // PostgreSQL passes over the numbers of its parents, and of processes of other users.
        var command = try ClusterAccount.current().command("/bin/sleep", ["300"])
        command.timeLimit = .seconds(300)
        let other = try ChildProcess(command)
        write("\(other.processID)\n" + left.drop { $0 != "\n" }.dropFirst(), to: lock)
        let second = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(try await answer(second, "SELECT 1") == "1\n")
        await second.stop()
        other.signal(SIGKILL)
        _ = await other.ending()
    }

    @Test(
        "a process file without text, as a loss of power leaves it, does not keep PostgreSQL from starting",
        arguments: ["", "\0\0\0\0"])
    func emptyProcessFile(text: String) async throws {
        let folder = TemporaryFolder()
        let first = try await PrivateCluster.start(dataDirectory: folder.path)
        await first.stop()
        write(text, to: "\(first.folder)/data/postmaster.pid")
        let second = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(!second.wasAdopted)
        #expect(try await answer(second, "SELECT 1") == "1\n")
        let file = try #require(try PostmasterFile.read(in: "\(second.folder)/data"))
        // A PostgreSQL whose file was emptied runs on, and no second one starts on its data.
        write(text, to: "\(second.folder)/data/postmaster.pid")
        second.abandon()
        #expect(await message(folder.path)?.contains("did not start") == true)
        #expect(try await answer(second, "SELECT 1") == "1\n")
        kill(file.processID, SIGINT)
        try await eventually { SocketProbe.listener(at: "\(second.folder)/.s.PGSQL.5432") == nil }
    }

    @Test("a second server on the folder is refused, and a killed one's PostgreSQL is taken over")
    func takeOver() async throws {
        let folder = TemporaryFolder()
        let first = try await PrivateCluster.start(dataDirectory: folder.path)
        let line = "another server (process \(getpid())) uses DATA_DIR=\(folder.path): stop it, "
        #expect(await message(folder.path)?.hasPrefix(line) == true)

        first.abandon()
        let second = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(second.wasAdopted)
        #expect(second.databaseURL == first.databaseURL)
        #expect(try await answer(second, "SELECT 1") == "1\n")
        await second.stop()
        #expect(access("\(second.folder)/data/postmaster.pid", F_OK) != 0)
    }

    @Test("one that is killed is started again, with what was stored")
    func killed() async throws {
        let folder = TemporaryFolder()
        let cluster = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(try await answer(cluster, "CREATE TABLE kept AS SELECT 42 AS n") == "SELECT 1\n")
        let file = try #require(try PostmasterFile.read(in: "\(cluster.folder)/data"))
        await withTaskGroup { group in
            group.addTask { await cluster.keepRunning() }
            group.addTask {
                kill(file.processID, SIGKILL)
                while (try? await answer(cluster, "SELECT n FROM kept")) != "42\n" {
                    if Task.isCancelled { return }
                }
            }
            // The second task ends once the cluster is back.
            await group.next()
            group.cancelAll()
        }
        let again = try PostmasterFile.read(in: "\(cluster.folder)/data")
        #expect(again.map { $0.processID != file.processID } ?? false)
        await cluster.stop()
    }

    @Test("a recovery may take longer than an answer, and is given up only when the start is cancelled")
    func recovery() async throws {
        let folder = TemporaryFolder()
        let cluster = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(try await answer(cluster, "CREATE TABLE kept AS SELECT 42 AS n") == "SELECT 1\n")
        let data = "\(cluster.folder)/data"
        let first = try #require(try PostmasterFile.read(in: data))
        let killed = try ProcessReference(processID: first.processID)
        kill(first.processID, SIGKILL)
        #expect(await BlockingThread.run { killed.waitUntilEnded(atMost: .seconds(20)) })
        let account = try ClusterAccount.current()
        let setup = ClusterSetup(
            place: try await ClusterPlace.choose(for: folder.path, account: account), account: account,
            programs: try await PostgresPrograms.find(forData: nil, in: data),
            log: "\(folder.path)/postgresql.log")
        let cancelled = Task { try await setup.launch() }
        cancelled.cancel()
        await #expect(throws: ClusterError.cancelled) { try await cancelled.value }

        // Processes of the killed PostgreSQL may keep the next one from starting for a moment.
        var started: Postmaster?
        for _ in 0..<10 where started == nil { started = try? await setup.launch(answerLimit: .zero) }
        let postmaster = try #require(started)
        #expect(try await answer(cluster, "SELECT n FROM kept") == "42\n")
        await BlockingThread.run { postmaster.stop() }
        cluster.abandon()
    }

    @Test("pg_restore of 17 and later does not serve an older server; pg_dump does")
    func clientPrograms() {
        typealias Programs = ClientPrograms
        #expect(Programs.choose(among: [14, 17, 18], forServer: 15, to: .restore) == nil)
        #expect(Programs.choose(among: [14, 17, 18], forServer: 15, to: .dump) == 17)
        #expect(Programs.choose(among: [14, 16, 17], forServer: 15, to: .restore) == 16)
        #expect(Programs.choose(among: [16, 18, 19], forServer: 17, to: .restore) == 18)
        #expect(Programs.choose(among: [14], forServer: 15, to: .dump) == nil)
        #expect(
            ClusterError.noClientPrograms(major: 16, newest: 16, found: [17]).description
                == "no pg_dump and pg_restore of PostgreSQL 16 found (found: 17): "
                + "apt-get install postgresql-client-16.")
    }

    @Test("one that ends again and again is started ever more seldom, until it has run for a while")
    func pauses() {
        var pauses = RestartPauses()
        var seconds = [pauses.next(ranFor: .seconds(5))]
        for _ in 0..<7 { seconds.append(pauses.next(ranFor: nil)) }
        #expect(seconds == [0, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(pauses.next(ranFor: .seconds(59)) == .seconds(30))
        #expect(pauses.next(ranFor: .seconds(60)) == .zero)
    }

    @Test("the log of a running PostgreSQL is put aside at its limit, and starts again")
    func log() async throws {
        let folder = TemporaryFolder()
        let cluster = try await PrivateCluster.start(dataDirectory: folder.path)
        let log = "\(folder.path)/postgresql.log"
        for word in ["first", "second", "third"] {
            #expect(try await answer(cluster, "SELECT 1 \(word)_nonsense FROM nothing").contains("ERROR"))
            await cluster.rotateLog(limit: 0)
            #expect(try SmallFile.read("\(log).old").contains("\(word)_nonsense"))
            #expect(try SmallFile.read(log) == "")
        }
        #expect(try !SmallFile.read("\(log).old").contains("second_nonsense"))
        #expect(try await answer(cluster, "SELECT fourth FROM nothing").contains("ERROR"))
        await cluster.rotateLog()
        // The line is at the start of the file, without a hole before it.
        #expect(try SmallFile.read(log).utf8.first != 0)
        #expect(try SmallFile.read(log).contains("fourth"))
        await cluster.stop()
    }

    @Test("a process number that another process has by now does not keep PostgreSQL from starting")
    func reusedNumber() async throws {
        let folder = TemporaryFolder()
        let first = try await PrivateCluster.start(dataDirectory: folder.path)
        await first.stop()
        let file = "\(first.folder)/data/postmaster.pid"
        write("\(getpid())\n\(first.folder)/data\n1\n5432\n\(first.folder)\n\n1 1\nready\n", to: file)
        let second = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(!second.wasAdopted)
        await second.stop()

        write("garbage", to: file)
        #expect(
            await message(folder.path)
                == "\(file) is no process file of PostgreSQL's: remove it if no PostgreSQL runs there.")
        unlink(file)
        write("9\n", to: "\(first.folder)/data/PG_VERSION")
        #expect(await message(folder.path)?.contains("was made by PostgreSQL 9, and") == true)
    }

    @Test("a folder that is let go is free at once, though a process that starts has a copy of its lock")
    func copiedLock() throws {
        let folder = TemporaryFolder()
        var copy: DescriptorCopy?
        do {
            let directory = try DataDirectory(opening: folder.path)
            copy = DescriptorCopy(ofFile: "\(directory.path)/lock")
            #expect(copy != nil)
        }
        _ = try DataDirectory(opening: folder.path)
        withExtendedLifetime(copy) {}
    }

    @Test("a path that is too long, or has a comma, moves the socket", arguments: ["long", "a,b'c d"])
    func socketMoves(name: String) async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/\(name == "long" ? String(repeating: "x", count: 100) : name)"
        let cluster = try await PrivateCluster.start(dataDirectory: path)
        #expect(cluster.folder.hasPrefix(folder.path))
        #expect(cluster.databaseURL.contains("host='/tmp/letsswitch-"))
        #expect(try await answer(cluster, "SELECT 1") == "1\n")
        cluster.abandon()
        let second = try await PrivateCluster.start(dataDirectory: path)
        #expect(second.wasAdopted && second.databaseURL == cluster.databaseURL)
        await second.stop()
        let socketFolder = cluster.databaseURL.split(separator: "'")[1]
        TemporaryFolder.remove(String(socketFolder))
    }

    @Test(
        "a folder that PostgreSQL's user cannot reach moves, and is found again", .enabled(if: geteuid() == 0)
    )
    func unreachable() async throws {
        let folder = TemporaryFolder(mode: 0o700)
        let first = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(first.folder.hasPrefix("/var/lib/letsswitch-"))
        #expect(try await answer(first, "SELECT 1") == "1\n")
        await first.stop()
        chmod(folder.path, 0o755)
        let second = try await PrivateCluster.start(dataDirectory: folder.path)
        #expect(second.folder == first.folder)
        await second.stop()
        TemporaryFolder.remove(first.folder)
    }

    @Test("pg_dump and pg_restore are those of the server's major version, or newer ones")
    func clientPrograms() async throws {
        let installed = try await ClientPrograms.find(forServer: 1, to: .dump)
        #expect(access(installed.dump, X_OK) == 0 && access(installed.restore, X_OK) == 0)
        let same = try await ClientPrograms.find(forServer: installed.major, to: .dump)
        #expect(same.major == installed.major)
        let error = await #expect(throws: ClusterError.self) {
            try await ClientPrograms.find(forServer: 99, to: .dump)
        }
        #expect(error?.description.contains("apt-get install postgresql-client-99") == true)
    }

    @Test("a folder that cannot be made is named")
    func unusable() async {
        #expect(
            await message("/dev/null/x") == "DATA_DIR: /dev/null/x cannot be used: Not a directory.")
    }

    private func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(descriptor, text, text.utf8.count)
        close(descriptor)
    }
}

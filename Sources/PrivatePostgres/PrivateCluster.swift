import CLinux
import Glibc
import Logging
import Reactor
import Settings

/// A PostgreSQL of the server's own, which is created on the first start, reached by a Unix socket only, and
/// stopped with the server.
///
/// One server at a time has the folder. If a server was killed, its PostgreSQL runs on, and the next start
/// takes it over.
package final class PrivateCluster: Sendable {
    /// The connection string for libpq, with the socket and the database `letsswitch`.
    package let databaseURL: String
    /// The folder of the data: under `DATA_DIR`, or elsewhere if PostgreSQL cannot use that.
    package let folder: String
    /// Whether PostgreSQL was running already.
    package let wasAdopted: Bool

    private let holdings: Lock<Holdings?>
    private let place: ClusterPlace

    /// The interval of checks that PostgreSQL still runs.
    private static let watchInterval = Duration.seconds(1)

    /// The resources that the cluster holds until it is stopped.
    private struct Holdings: Sendable {
        let directory: DataDirectory
        let postmaster: Postmaster
    }

    /// Starts the cluster, and creates it first if there is none. It is ready for connections afterwards.
    ///
    /// It is called before anything is served, so its few small file operations run in place.
    package static func start(dataDirectory given: String) async throws(ClusterError) -> PrivateCluster {
        let directory = try DataDirectory(opening: given)
        let account = try ClusterAccount.current()
        let place = try await ClusterPlace.choose(for: directory.path, account: account)
        if let note = place.note(dataDirectory: directory.path) {
            Log.info(note, ["data": place.folder, "socket": place.socketFolder])
        }
        let data = place.data
        let running = try await ClusterSetup.cancellable { isCancelled throws(ClusterError) in
            try Postmaster.running(over: data, isCancelled: isCancelled)
        }
        if let running {
            Log.info("took over the private database", ["process": running.process.processID])
            return PrivateCluster(directory, running, place, wasAdopted: true)
        }
        let (setup, isMade) = try await setup(place, account, directory)
        if !isMade {
            Log.info("making a private database", ["data": data, "postgresql": setup.programs.major])
            try await setup.initialise()
        }
        let postmaster = try await setup.launch()
        Log.info("started the private database", ["process": postmaster.process.processID])
        return PrivateCluster(directory, postmaster, place, wasAdopted: false)
    }

    private static func setup(
        _ place: ClusterPlace, _ account: ClusterAccount, _ directory: DataDirectory
    ) async throws(ClusterError) -> (ClusterSetup, isMade: Bool) {
        let made = try? SmallFile.read("\(place.data)/PG_VERSION")
        let programs = try await PostgresPrograms.find(
            forData: made.map { String($0.prefix { !$0.isNewline }) }, in: place.data)
        let setup = ClusterSetup(place: place, account: account, programs: programs, log: directory.log)
        return (setup, isMade: made != nil)
    }

    /// Starts PostgreSQL again whenever it has ended by itself, until the task is cancelled or the cluster is
    /// stopped. One that ends again and again, or does not start, is started ever more seldom. Call `stop`
    /// after this has returned.
    package func keepRunning() async {
        var pauses = RestartPauses()
        var startedAt: ContinuousClock.Instant? = .now
        while !Task.isCancelled, let held = holdings.withLock(\.self) {
            if held.postmaster.process.waitUntilEnded(atMost: .zero) {
                let pause = pauses.next(ranFor: startedAt.map { .now - $0 })
                startedAt = nil
                Log.warning(
                    "the private database has ended, and is started again",
                    ["seconds": pause.components.seconds])
                if pause > .zero { try? await ContinuousClock().sleep(for: pause) }
                if Task.isCancelled { return }
                do throws(ClusterError) {
                    try await restart(held)
                    startedAt = .now
                } catch {
                    if error == .cancelled { return }
                    Log.error("the private database did not start", ["error": "\(error)"])
                }
            }
            await rotateLog()
            try? await ContinuousClock().sleep(for: Self.watchInterval)
        }
    }

    private func restart(_ held: Holdings) async throws(ClusterError) {
        let (setup, _) = try await Self.setup(place, try ClusterAccount.current(), held.directory)
        let postmaster = try await setup.launch()
        Log.info("started the private database", ["process": postmaster.process.processID])
        holdings.withLock { $0 = Holdings(directory: held.directory, postmaster: postmaster) }
    }

    /// Whether a cluster exists for the folder.
    package static func isMade(dataDirectory given: String) async throws(ClusterError) -> Bool {
        guard let path = realpath(given, nil) else { return false }
        defer { free(path) }
        let place = try await ClusterPlace.choose(
            for: String(cString: path), account: try ClusterAccount.current())
        return access("\(place.data)/PG_VERSION", F_OK) == 0
    }

    /// Keeps PostgreSQL's log within its limit: its content replaces `postgresql.log.old`, and PostgreSQL
    /// goes on at the start of the file. A line that is written at the same time may be lost.
    func rotateLog(limit: Int = ClusterSetup.logLimit) async {
        guard let log = holdings.withLock({ $0?.directory.log }) else { return }
        await BlockingThread.run { ClusterSetup.rotate(runningLog: log, limit: limit) }
    }

    /// Returns the connection string of the cluster that a running server has for the folder; nil if none
    /// runs. Root may use the cluster of another user's server.
    package static func running(dataDirectory given: String) async throws(ClusterError) -> String? {
        guard let path = realpath(given, nil) else { return nil }
        defer { free(path) }
        let data = ClusterPlace.data(of: String(cString: path))
        let postmaster = try await ClusterSetup.cancellable { isCancelled throws(ClusterError) in
            try Postmaster.running(over: data, isCancelled: isCancelled)
        }
        return postmaster.map { connectionString(socketFolder: $0.socketFolder) }
    }

    private init(
        _ directory: DataDirectory, _ postmaster: Postmaster, _ place: ClusterPlace, wasAdopted: Bool
    ) {
        holdings = Lock(Holdings(directory: directory, postmaster: postmaster))
        folder = place.folder
        self.place = place
        self.wasAdopted = wasAdopted
        // A cluster that was taken over may have its socket elsewhere.
        databaseURL = Self.connectionString(socketFolder: postmaster.socketFolder)
    }

    /// Stops PostgreSQL in order, within 20 s, and releases the folder. A second call does nothing.
    package func stop() async {
        guard let holdings = holdings.withLock({ $0.take() }) else { return }
        await BlockingThread.run { holdings.postmaster.stop() }
        holdings.directory.release()
        Log.info("stopped the private database")
    }

    /// Releases the folder and lets PostgreSQL run on, as a crash of the server would.
    package func abandon() {
        holdings.withLock { $0.take() }?.directory.release()
    }

    static func connectionString(socketFolder: String) -> String {
        var quoted = ""
        for character in socketFolder {
            if character == "'" || character == "\\" { quoted += "\\" }
            quoted.append(character)
        }
        return "host='\(quoted)' port=5432 user=\(ClusterSetup.user) dbname=\(ClusterSetup.database)"
    }
}

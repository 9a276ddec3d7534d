import CLinux
import Glibc
package import Reactor

/// The installed `pg_dump` and `pg_restore` that serve a PostgreSQL of some major version.
package struct ClientPrograms: Equatable, Sendable {
    package let dump: String
    package let restore: String
    package let major: Int

    /// The work that a program is needed for.
    package enum Purpose: Sendable { case dump, restore }

    /// `pg_restore` of this version and of newer ones sets a parameter that older servers do not know
    /// (`transaction_timeout`).
    private static let restoreBorder = 17

    /// Returns the programs of that major version, or of the next newer one that is installed and serves the
    /// purpose: older ones refuse the server. They are looked for where a private cluster's programs are, and
    /// then in `PATH`.
    package static func find(
        forServer major: Int, to purpose: Purpose
    ) async throws(ClusterError) -> ClientPrograms {
        var found: [ClientPrograms] = []
        for folder in await folders() {
            guard let programs = await ClientPrograms(in: folder) else { continue }
            if programs.major == major { return programs }
            found.append(programs)
        }
        let majors = Array(Set(found.map(\.major))).sorted()
        if let next = choose(among: majors, forServer: major, to: purpose),
            let programs = found.first(where: { $0.major == next })
        {
            return programs
        }
        throw .noClientPrograms(
            major: major, newest: newest(forServer: major, to: purpose), found: majors)
    }

    /// Returns the lowest of the versions that serves the purpose; nil if none does.
    static func choose(among majors: [Int], forServer major: Int, to purpose: Purpose) -> Int? {
        let newest = newest(forServer: major, to: purpose) ?? .max
        return majors.filter { $0 >= major && $0 <= newest }.min()
    }

    private static func newest(forServer major: Int, to purpose: Purpose) -> Int? {
        switch purpose {
        case .dump: nil
        case .restore: major < restoreBorder ? restoreBorder - 1 : nil
        }
    }

    private static func folders() async -> [String] {
        let dump = Programs.find("pg_dump").map { [String($0.dropLast("/pg_dump".count))] } ?? []
        // Debian's `pg_dump` in `PATH` chooses among those of the folders, so these come first.
        return await PostgresPrograms.folders() + dump
    }

    private init?(in folder: String) async {
        dump = "\(folder)/pg_dump"
        restore = "\(folder)/pg_restore"
        guard folder.hasPrefix("/"), access(dump, X_OK) == 0, access(restore, X_OK) == 0,
            let major = await Programs.major(of: Self.command(dump, ["--version"], [:]))
        else { return nil }
        self.major = major
    }

    /// Returns the command in a neutral environment, but for libpq's own variables of this process, and those
    /// that are given.
    package static func command(
        _ executable: String, _ arguments: [String], _ connection: [String: String]
    ) -> ChildProcess.Command {
        var command = ChildProcess.Command(executable, arguments)
        let inherited = command.environment.filter { $0.key.hasPrefix("PG") || $0.key == "HOME" }
        command.environment = inherited.merging(connection) { $1 }
            .merging(["PATH": Programs.path, "LC_ALL": "C"]) { $1 }
        return command
    }
}

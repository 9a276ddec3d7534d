import CLinux
import Glibc
import Reactor

/// An installed PostgreSQL: the folder with `initdb` and `postgres`, and its major version.
struct PostgresPrograms: Sendable {
    package let folder: String
    let major: String

    var initdb: String { "\(folder)/initdb" }
    package var postgres: String { "\(folder)/postgres" }

    /// Returns the installation for the existing data, or the newest of those in `PATH`, that `pg_config`
    /// names, and in Debian's folders.
    package static func find(forData made: String?, in dataFolder: String) async throws(ClusterError) -> Self
    {
        var found: [PostgresPrograms] = []
        for folder in await folders() {
            guard let programs = await PostgresPrograms(in: folder) else { continue }
            if made == programs.major { return programs }
            found.append(programs)
        }
        guard let newest = found.max(by: { (Int($0.major) ?? 0) < (Int($1.major) ?? 0) }) else {
            throw .noPrograms
        }
        guard let made else { return newest }
        throw .versionMismatch(folder: dataFolder, made: made, installed: newest.major)
    }

    static func folders() async -> [String] {
        var folders: [String] = []
        if let initdb = Programs.find("initdb") { folders.append(String(initdb.dropLast("/initdb".count))) }
        if let pgConfig = Programs.find("pg_config"),
            let child = try? await ChildProcess.run(.init(pgConfig, ["--bindir"]))
        {
            folders.append(String(child.output().prefix { !$0.isNewline }))
        }
        return folders + (10...40).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    }

    private init?(in folder: String) async {
        self.folder = folder
        guard folder.hasPrefix("/"), access("\(folder)/initdb", X_OK) == 0,
            access("\(folder)/postgres", X_OK) == 0,
            let major = await Programs.major(of: .init("\(folder)/postgres", ["--version"]))
        else { return nil }
        self.major = "\(major)"
    }
}

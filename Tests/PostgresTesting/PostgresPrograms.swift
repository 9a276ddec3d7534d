import CLinux
import Glibc
import TestKit

/// The paths of `initdb`, `pg_ctl` and `postgres`.
enum PostgresPrograms {
    static func path(of program: String) throws -> String {
        for folder in folders() where access("\(folder)/\(program)", X_OK) == 0 {
            return "\(folder)/\(program)"
        }
        throw TestError("\(program) is not installed: apt-get install postgresql")
    }

    private static func folders() -> [String] {
        var folders = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
        var found = glob_t()
        defer { globfree(&found) }
        if glob("/usr/lib/postgresql/*/bin", 0, nil, &found) == 0 {
            let paths = (0..<Int(found.gl_pathc)).compactMap {
                found.gl_pathv[$0].map { String(cString: $0) }
            }
            folders += paths.sorted { version($0) > version($1) }
        }
        return folders + ["/usr/local/pgsql/bin"]
    }

    private static func version(_ folder: String) -> Int {
        folder.split(separator: "/").compactMap { Int($0) }.first ?? 0
    }
}

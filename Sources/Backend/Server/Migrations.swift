import Postgres

/// The files of the folder `migrations`, which are part of the program.
enum Migrations {
    static func migrator() throws(MigrationError) -> Migrator {
        try Migrator([
            Migration(
                version: 1, name: "first",
                sql: String(decoding: PackageResources._001_first_sql, as: UTF8.self)),
            Migration(
                version: 2, name: "matching",
                sql: String(decoding: PackageResources._002_matching_sql, as: UTF8.self)),
            Migration(
                version: 3, name: "endpoints",
                sql: String(decoding: PackageResources._003_endpoints_sql, as: UTF8.self)),
            Migration(
                version: 4, name: "logs",
                sql: String(decoding: PackageResources._004_logs_sql, as: UTF8.self)),
            Migration(
                version: 5, name: "servers",
                sql: String(decoding: PackageResources._005_servers_sql, as: UTF8.self)),
            Migration(
                version: 6, name: "indexes",
                sql: String(decoding: PackageResources._006_indexes_sql, as: UTF8.self)),
            Migration(
                version: 7, name: "endpoint_locks",
                sql: String(decoding: PackageResources._007_endpoint_locks_sql, as: UTF8.self)),
        ])
    }
}

import Database
import Postgres
import PostgresTesting

extension TestTemplate {
    /// A database with this release's schema.
    static let migrated = TestTemplate { _ = try await Migrations.migrator().apply(on: $0) }
}

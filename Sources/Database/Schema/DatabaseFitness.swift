package import Postgres

/// The properties of the database without which the server cannot work on it.
package struct DatabaseFitness: Equatable, Sendable {
    var database: String
    var role: String
    var encoding: String
    /// The schema in which tables are made; nil if the search path has none that the role may use.
    var schema: String?
    var mayCreate: Bool

    private static let query = """
        SELECT current_database()::text, current_user::text, pg_encoding_to_char(encoding)::text,
            current_schema()::text, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
        FROM pg_database WHERE datname = current_database()
        """

    package static func read(on connection: PostgresConnection) async throws -> DatabaseFitness {
        guard let row = try await connection.query(query).first else {
            throw PostgresError.decoding("no row of the database")
        }
        let (database, role, encoding, schema, mayCreate) = try row.decode(
            String.self, String.self, String.self, String?.self, Bool.self)
        return DatabaseFitness(
            database: database, role: role, encoding: encoding, schema: schema, mayCreate: mayCreate)
    }

    /// The reason why the database cannot store every text; nil if it can.
    package var encodingFault: String? {
        if encoding == "UTF8" { return nil }
        return
            "The database \(database) has the encoding \(encoding), which cannot store every name and text. "
            + "Make one in UTF8, and name it in DATABASE_URL: CREATE DATABASE \(quoted(database + "_utf8")) "
            + "OWNER \(quoted(role)) ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;"
    }

    /// The reason why the role cannot make tables; nil if it can.
    package var grantFault: String? {
        if mayCreate { return nil }
        let place = schema.map { "in the schema \($0)" } ?? "in any schema of its search_path"
        return "The role \(role) may not make tables \(place). As the owner of the database \(database), run "
            + "in it: GRANT USAGE, CREATE ON SCHEMA \(quoted(schema ?? "public")) TO \(quoted(role));"
    }
}

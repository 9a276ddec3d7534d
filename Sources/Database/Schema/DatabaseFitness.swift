package import Postgres

/// The properties of the database without which the server cannot work on it.
package struct DatabaseFitness: Equatable, Sendable {
    var database: String
    var role: String
    var encoding: String
    /// The schema in which tables are made, or would be if the role might use it: the first of the search
    /// path that there is.
    var schema: String?
    var mayCreate: Bool

    private static let query = """
        SELECT current_database()::text, current_user::text, pg_encoding_to_char(encoding)::text,
            coalesce(current_schema(), (
                SELECT nspname FROM unnest(string_to_array(current_setting('search_path'), ','))
                        WITH ORDINALITY AS path (name, place)
                    JOIN pg_namespace ON nspname = CASE btrim(name, ' "')
                        WHEN '$user' THEN current_user::text ELSE btrim(name, ' "') END
                ORDER BY place LIMIT 1))::text,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
        FROM pg_database WHERE datname = current_database()
        """

    package static func read(on connection: PostgresConnection) async throws -> DatabaseFitness {
        guard let row = try await connection.query(query).first else {
            throw PostgresError.decoding("no row of the database")
        }
        return try row.read(DatabaseFitness.init(database:role:encoding:schema:mayCreate:))
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
        guard let schema else {
            return "No schema of the search_path of the role \(role) exists in the database \(database). "
                + "Make one there with CREATE SCHEMA, or name another search_path in DATABASE_URL."
        }
        return "The role \(role) may not make tables in the schema \(schema). As the owner of the database "
            + "\(database), run in it: "
            + "GRANT USAGE, CREATE ON SCHEMA \(quoted(schema)) TO \(quoted(role));"
    }
}

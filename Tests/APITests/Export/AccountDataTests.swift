import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("The list of what is held about an account")
struct AccountDataTests {
    /// Every column of the tables that refer to `users`, and of the tables that refer to these, and so on;
    /// and what happens to its row with the one that it refers to. A partition is a part of its parent.
    /// `$1` and `$2` are the tables that refer to others without a foreign key, and these.
    private static let reached = """
        WITH RECURSIVE refers (child, parent) AS (
            SELECT conrelid, confrelid FROM pg_constraint WHERE contype = 'f'
            UNION
            SELECT child::regclass, parent::regclass
            FROM unnest($1::text[], $2::text[]) AS pair (child, parent)
        ), reached (oid) AS (
            SELECT 'users'::regclass::oid
            UNION
            SELECT child FROM reached JOIN refers ON parent = reached.oid
            JOIN pg_class ON pg_class.oid = child AND NOT relispartition
        )
        SELECT reached.oid::regclass::text, attname::text, ARRAY(
            SELECT confrelid::regclass::text FROM pg_constraint AS key
            WHERE key.conrelid = reached.oid AND contype = 'f' AND confdeltype = 'c')
        FROM reached JOIN pg_attribute ON attrelid = reached.oid AND attnum > 0 AND NOT attisdropped
        ORDER BY 1, attnum
        """

    /// Returns what the list and the database do not agree on, a line each.
    private static func faults(_ pool: PostgresPool) async throws -> [String] {
        var faults: [String] = []
        var found: [String: Set<String>] = [:]
        // `verify.sql` checks the references that have no foreign key.
        let references = StoredPromise.all.first { $0.name == "references" }?.query ?? ""
        let pairs = references.matches(of: /SELECT '(\w+) .*\n.*\n *SELECT FROM (\w+)/)
        #expect(pairs.count == 4)
        for row in try await pool.query(reached, [pairs.map { "\($0.1)" }, pairs.map { "\($0.2)" }]) {
            let (name, column, parents) = try row.decode(String.self, String.self, [String].self)
            found[name, default: []].insert(column)
            guard let table = AccountData.table(name) else {
                faults.append("\(name).\(column) is not in AccountData")
                continue
            }
            if !table.columns.contains(where: { $0.name == column }) {
                faults.append("\(name).\(column) is neither exported nor left out with a reason")
            }
            if case .cascades = table.removal, !parents.contains(where: isRemoved) {
                faults.append("\(name) does not go with another table's row (ON DELETE CASCADE)")
            }
        }
        for table in AccountData.tables {
            for column in table.columns where found[table.name]?.contains(column.name) != true {
                faults.append(
                    "\(table.name).\(column.name) is not in the database, or not reached from users")
            }
        }
        return faults
    }

    /// Whether the rows of a table go with the account, all of them.
    private static func isRemoved(_ name: String) -> Bool {
        switch AccountData.table(name)?.removal {
        case .deleted, .cascades: true
        case .erased, .kept, nil: false
        }
    }

    @Test("has every column that references lead to from users, and no other")
    func complete() async throws {
        try await RESTWorld.with { world in
            let faults = try await Self.faults(world.pool)
            #expect(faults == [])
        }
    }

    @Test("is found to be incomplete where a table, a column or a cascade is not in it")
    func incomplete() async throws {
        try await RESTWorld.with { world in
            for statement in [
                "ALTER TABLE calendars ADD COLUMN colour text",
                """
                CREATE TABLE colours (
                    calendar_id uuid REFERENCES calendars ON DELETE CASCADE, hue text)
                """,
                "ALTER TABLE past_sums DROP CONSTRAINT past_sums_user_id_fkey",
                "ALTER TABLE past_sums ADD FOREIGN KEY (user_id) REFERENCES users",
                "ALTER TABLE past_sums ADD COLUMN session_id uuid REFERENCES registrations ON DELETE CASCADE",
                "ALTER TABLE favourites DROP COLUMN removed_at CASCADE",
            ] { try await world.pool.query(statement) }
            #expect(
                Set(try await Self.faults(world.pool)) == [
                    "calendars.colour is neither exported nor left out with a reason",
                    "colours.calendar_id is not in AccountData", "colours.hue is not in AccountData",
                    "past_sums does not go with another table's row (ON DELETE CASCADE)",
                    "past_sums.session_id is neither exported nor left out with a reason",
                    "favourites.removed_at is not in the database, or not reached from users",
                ])
        }
    }

    @Test("gives a reason for what is left out, and names each member once")
    func reasons() {
        for table in AccountData.tables {
            let members = table.shown.map(\.member)
            #expect(Set(members).count == members.count, "\(table.name)")
            for column in table.columns {
                if case .leftOut(_, let reason) = column {
                    #expect(reason.hasSuffix("."), "\(table.name).\(column.name)")
                }
            }
        }
        let lists = AccountData.tables.map(\.member)
        #expect(Set(lists).count == lists.count)
    }

    @Test(
        "drives the deletion: nothing of the account is left in any table, and the other account keeps all"
    )
    func deletion() async throws {
        try await FilledAccount.with { world, account in
            let before = try await Self.traces(of: account.id, FilledAccount.words, world.pool)
            #expect(before.count > 10, "\(before)")
            let others = try await Self.traces(of: account.other, FilledAccount.otherWords, world.pool)
            try await world.delete("/v1/me", account.token, expecting: 204)
            try await world.eraseDeletedAccounts()
            #expect(try await Self.traces(of: account.id, FilledAccount.words, world.pool) == [])
            let left = try await Self.traces(of: account.other, FilledAccount.otherWords, world.pool)
            // The rows about both go: the meetings, and the other's block of the account.
            #expect(others.subtracting(left) == ["blocks", "favourites", "past_meetings"])
        }
    }

    /// Returns the tables of which a row has the id or one of the words anywhere in it.
    private static func traces(
        of id: Identifier, _ words: [String], _ pool: PostgresPool
    ) async throws -> Set<String> {
        let tables = try await pool.query(
            """
            SELECT oid::regclass::text FROM pg_class
            WHERE relkind IN ('r', 'p') AND NOT relispartition
                AND relnamespace = current_schema()::text::regnamespace
            """)
        var traces: Set<String> = []
        for row in tables {
            let table = try row.decode(0, String.self)
            for word in [id.description] + words {
                // Bytes are compared as bytes: a text in them is not readable in a row's own text.
                let found = try await pool.query(
                    """
                    SELECT FROM \(table) AS held
                    WHERE strpos(held::text, $1) > 0
                        OR strpos(held::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 LIMIT 1
                    """, [word])
                if !found.isEmpty { traces.insert(table) }
            }
        }
        return traces
    }
}

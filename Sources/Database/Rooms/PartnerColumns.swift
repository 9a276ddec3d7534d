import Contract
import Postgres

/// The other members of a member's room, as columns of arrays: `ids`, `names`, `tasks`, `tags` and `quiets`.
enum PartnerColumns {
    /// Returns SQL that selects the columns in one row, in the order in which people joined. The condition is
    /// about a `member` and its registration, `other`.
    static func select(where condition: String) -> String {
        """
        SELECT coalesce(array_agg(other.id ORDER BY member.joined_revision, other.id), '{}') AS ids,
            coalesce(array_agg(coalesce(accounts.name, 'former user')
                ORDER BY member.joined_revision, other.id), '{}') AS names,
            coalesce(array_agg(CASE WHEN accounts.id IS NOT NULL THEN other.task END
                ORDER BY member.joined_revision, other.id), '{}') AS tasks,
            coalesce(array_agg(CASE WHEN accounts.id IS NOT NULL THEN other.tag END
                ORDER BY member.joined_revision, other.id), '{}') AS tags,
            coalesce(array_agg(other.id) FILTER (WHERE intents.quiet), '{}') AS quiets
        FROM members AS member
        JOIN registrations AS other ON other.id = member.registration_id
        LEFT JOIN accounts ON accounts.id = other.user_id
        LEFT JOIN intents ON intents.registration_id = other.id AND intents.quiet AND accounts.id IS NOT NULL
        WHERE \(condition)
        """
    }

    /// Reads the columns, which begin at the index.
    static func read(_ row: PostgresRow, at index: Int) throws(PostgresError) -> [Partner] {
        let ids = try row.decode(index, [Identifier].self)
        let names = try row.decode(index + 1, [String].self)
        let tasks = try row.decode(index + 2, [String?].self)
        let tags = try row.decode(index + 3, [String?].self)
        guard names.count == ids.count, tasks.count == ids.count, tags.count == ids.count else {
            throw .decoding("lists of different lengths")
        }
        let quiet = try row.decode(index + 4, [Identifier].self)
        return ids.indices.map { position in
            Partner(
                id: ids[position], name: names[position], task: tasks[position], tag: tags[position],
                quiet: quiet.contains(ids[position]) ? true : nil)
        }
    }
}

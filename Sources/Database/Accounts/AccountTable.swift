/// A table whose rows are held about accounts: what an export shows of it, and what a deletion does with it.
package struct AccountTable: Sendable {
    /// How a row belongs to an account.
    package enum Owner: Sendable {
        /// The row of the account itself.
        case account
        /// The column names the account.
        case column(String)
        /// Either column names the account: the row is about two of them.
        case either(String, String)
        /// The column names a row of another table of the list by its `id`.
        case through(table: String, column: String)
    }

    /// The effect of the deletion of the account on the row.
    package enum Removal: Sendable {
        /// A statement deletes it.
        case deleted
        /// It goes with the row that it refers to (ON DELETE CASCADE).
        case cascades
        /// It stays if others met the account in a room, and these columns are set to NULL; else it is
        /// deleted.
        case erased([String])
        /// It stays, and says nothing of anybody once the row that it refers to is erased.
        case kept
    }

    /// The type of a value in the export.
    package enum Kind: Sendable {
        case id, text, texts, time, number, flag
        /// The key of a slot: its start, and `minutes` if it has a length of its own.
        case slot
        /// The key of a slot, of which only the start is exported.
        case start
    }

    /// The type of a column by which the rows are in order.
    package enum KeyKind: Sendable { case id, time, day, number, bytes }

    package enum Column: Sendable {
        /// It is exported, as the member of the second name.
        case shown(String, String, Kind)
        /// It is not exported, for the reason after its name.
        case leftOut(String, String)

        package var name: String {
            switch self {
            case .shown(let name, _, _), .leftOut(let name, _): name
            }
        }
    }

    package let name: String
    /// The name of its list in the export; of an object if there is one row at most.
    package let member: String
    package var owner = Owner.column("user_id")
    /// The columns that order the rows and tell them apart; none if there is one row at most. Those of an
    /// owner `through` another table begin with its column.
    package var key: [(kind: KeyKind, column: String)] = []
    package var removal = Removal.cascades
    package let columns: [Column]

    /// The columns that are exported, by their names there.
    package var shown: [(column: String, member: String, kind: Kind)] {
        columns.compactMap { column in
            guard case .shown(let name, let member, let kind) = column else { return nil }
            return (name, member, kind)
        }
    }

    package var isExported: Bool { !shown.isEmpty }

    /// The condition by which a row belongs to the account `$1`.
    package var condition: String {
        switch owner {
        case .account: "id = $1"
        case .column(let column): "\(column) = $1"
        case .either(let one, let other): "(\(one) = $1 OR \(other) = $1)"
        case .through(let table, let column):
            "\(column) IN (SELECT id FROM \(table) WHERE \(AccountData.table(table)?.condition ?? "false"))"
        }
    }

    /// The assignments that erase the columns of a row that stays.
    package var erasure: String {
        guard case .erased(let columns) = removal else { return "" }
        return columns.map { "\($0) = NULL" }.joined(separator: ", ")
    }
}

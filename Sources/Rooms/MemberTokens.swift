/// The tokens of a member's account by their numbers: a socket came in under one of them, and ends with it.
package struct MemberTokens: Equatable, Sendable {
    /// The number of the main token, which grows with each replacement.
    package private(set) var main: Int32
    /// The number of other tokens that the account has ever had. A list with a smaller one is older.
    private var made: Int32
    /// The other tokens that are valid. Their numbers are negative, and no two tokens ever have the same.
    private var others: Set<Int32>

    package init(main: Int32, made: Int32 = 0, others: Set<Int32> = []) {
        self.main = main
        self.made = made
        self.others = others
    }

    /// Whether a token with that number is valid.
    package func contains(_ number: Int32) -> Bool { number == main || others.contains(number) }

    /// Adds a number of an additional token.
    package mutating func insert(_ number: Int32) { others.insert(number) }

    /// Takes over what an answer of the database says, which may have been overtaken by a later one. Where no
    /// token was made between the two, tokens have only ended.
    mutating func update(from read: MemberTokens) {
        main = max(main, read.main)
        if read.made > made {
            (made, others) = (read.made, read.others)
        } else if read.made == made {
            others.formIntersection(read.others)
        }
    }
}

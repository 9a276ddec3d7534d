import Testing

@testable import PostgresFaults

@Suite("The site of a statement")
struct StatementTrailTests {
    private let lock = "SELECT pg_advisory_xact_lock($1)"

    private func sites(_ statements: String...) -> [StatementSite] {
        var trail = StatementTrail()
        return statements.map { trail.pass($0) }
    }

    @Test("is the same in every run, and does not mind how the statement is laid out")
    func stable() {
        #expect(sites("SELECT 1")[0].line == "c530407e0051ba72 SELECT 1")
        #expect(sites("SELECT  1\n FROM a") == sites("SELECT 1 FROM a"))
        #expect(sites("SELECT 1")[0] != sites("SELECT 2")[0])
    }

    @Test("is another one in another transaction, which its first statement behind the lock tells")
    func transactions() {
        let first = sites("BEGIN", lock, "SELECT a", "UPDATE t SET x", "COMMIT")
        let second = sites("BEGIN", lock, "SELECT b", "UPDATE t SET x", "COMMIT")
        #expect(first[0] == second[0])
        #expect(first[1] == second[1])
        #expect(first[3] != second[3])
        #expect(first[3] != sites("UPDATE t SET x")[0])
    }

    @Test("of a COMMIT is told by what the transaction has written, in whatever order")
    func commits() {
        let one = sites("BEGIN", "SELECT a", "UPDATE t", "INSERT u", "COMMIT")[4]
        #expect(one == sites("BEGIN", "SELECT a", "INSERT u", "SELECT b", "UPDATE t", "COMMIT")[5])
        #expect(one != sites("BEGIN", "SELECT a", "UPDATE t", "COMMIT")[3])
    }

    @Test("of a COMMIT does not tell how a table was written; of a ROLLBACK tells nothing")
    func ends() {
        let one = sites("BEGIN", "SELECT a", "INSERT INTO t (x)", "COMMIT")[3]
        #expect(one == sites("BEGIN", "SELECT a", "UPDATE t SET y", "DELETE FROM t WHERE z", "COMMIT")[4])
        let undone = sites("BEGIN", "SELECT a", "UPDATE t SET y", "ROLLBACK")[3]
        #expect(undone == sites("BEGIN", "INSERT INTO u (x)", "ROLLBACK")[2])
    }

    @Test("does not mind how much time is left")
    func limits() {
        let first = sites("BEGIN", "SET statement_timeout = 9870", "SELECT a", "UPDATE t", "COMMIT")
        #expect(first == sites("BEGIN", "SET statement_timeout = 9869", "SELECT a", "UPDATE t", "COMMIT"))
        #expect(first[3] == sites("BEGIN", "SELECT a", "UPDATE t")[2])
    }

    @Test("does not mind which process holds the lock that says it lives")
    func lives() {
        let first = sites("SELECT pg_advisory_lock_shared(hashtextextended('a', 0))")
        #expect(first == sites("SELECT pg_advisory_lock_shared(hashtextextended('b', 0))"))
        #expect(first != sites("SELECT pg_advisory_lock(hashtextextended('a', 0))"))
    }

    @Test("knows nothing of the transaction before")
    func forgets() {
        let alone = sites("BEGIN", "SELECT a", "COMMIT")[2]
        #expect(alone == sites("BEGIN", "UPDATE t", "ROLLBACK", "BEGIN", "SELECT a", "COMMIT")[5])
    }
}

import Contract
import Testing

/// Tests of the cases of JSONTestSuite, by its classes.
struct JSONTestSuiteTests {
    @Test("what every reader has to accept is accepted", arguments: JSONTestSuite.accepted)
    func accepted(example: JSONTestSuite.Case) throws {
        _ = try JSONValue.parse(example.bytes)
    }

    @Test("what every reader has to refuse is refused", arguments: JSONTestSuite.refused)
    func refused(example: JSONTestSuite.Case) {
        #expect(throws: JSONError.self) { try JSONValue.parse(example.bytes) }
    }

    @Test("a member that comes twice is refused", arguments: JSONTestSuite.duplicates)
    func duplicates(example: JSONTestSuite.Case) {
        #expect(throws: JSONError.self) { try JSONValue.parse(example.bytes) }
    }

    @Test("a number of any size is accepted", arguments: JSONTestSuite.chosenToAccept)
    func chosenToAccept(example: JSONTestSuite.Case) throws {
        _ = try JSONValue.parse(example.bytes)
    }

    @Test("what is not Unicode, or too deep, is refused", arguments: JSONTestSuite.chosenToRefuse)
    func chosenToRefuse(example: JSONTestSuite.Case) {
        #expect(throws: JSONError.self) { try JSONValue.parse(example.bytes) }
    }

    @Test("the table is whole")
    func count() {
        let classes = [
            JSONTestSuite.accepted, JSONTestSuite.duplicates, JSONTestSuite.chosenToAccept,
            JSONTestSuite.chosenToRefuse, JSONTestSuite.refused,
        ]
        #expect(classes.map(\.count) == [93, 2, 10, 25, 188])
        #expect(Set(classes.flatMap { $0 }.map(\.name)).count == 318)
    }
}

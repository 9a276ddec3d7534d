import Codecs
import HTTP1

/// Reads a query, and a part of a path.
///
/// Oracle: a decoded text survives being encoded and decoded, and no escape becomes a NUL.
enum QueryFuzz {
    static func test(_ input: [UInt8]) {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        do throws(PercentCoding.Failure) {
            let decoded = try PercentCoding.decode(text)
            if !input.contains(0) { expect(!decoded.utf8.contains(0), "an escape became a NUL") }
            expect(decoded.utf8.count <= input.count, "decoding made a text longer")
            if !decoded.utf8.contains(0) {
                let again = try PercentCoding.decode(PercentCoding.encode(decoded))
                expect(again.utf8.elementsEqual(decoded.utf8), "a text changed in encoding")
            }
            let query = try QueryItems(text)
            if !query.items.contains(where: { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) }) {
                expect(try QueryItems(QueryItems.encode(query.items)) == query, "a query changed in encoding")
            }
        } catch {
            expect(input.contains(UInt8(ascii: "%")), "there is no escape to be bad")
        }
    }
}

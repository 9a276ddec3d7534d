import Codecs
import Contract
import Crypto

@testable import Database

/// Reads the value of `token=`: a ticket, or an API token.
///
/// Oracle: nothing is a ticket that was not signed, whatever is changed in it; a ticket has one spelling.
enum TicketFuzz {
    private static let key = HMACKey(Array("a key that only this fuzzer knows".utf8))

    static func test(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let ticket = Ticket(text, key: key) {
            expect(ticket.signed(with: key) == text, "a ticket has two spellings")
        }
        if let token = APIToken(text) { expect(token.text == text, "a token has two spellings") }
        if let bytes = Base64URL.decode(text) {
            expect(Base64URL.encode(bytes) == text, "a text of Base64 has two spellings")
        }
        forge(input)
    }

    /// Signs a ticket made of the input, and changes one byte of it.
    private static func forge(_ input: [UInt8]) {
        var cuts = Cuts.generator(for: input)
        let ticket = Ticket(
            room: Identifier(value: cuts.next()), user: Identifier(value: cuts.next()),
            tokenVersion: Int32(truncatingIfNeeded: input.count),
            expires: Timestamp(microseconds: Int64(bitPattern: cuts.next())))
        let signed = ticket.signed(with: key)
        expect(Ticket(signed, key: key) == ticket, "a ticket is not read as it was signed")
        var bytes = Array(signed.utf8)
        let index = Int.random(in: bytes.indices, using: &cuts)
        bytes[index] = .random(in: 0x21...0x7E, using: &cuts)
        let forged = String(decoding: bytes, as: UTF8.self)
        if forged != signed { expect(Ticket(forged, key: key) == nil, "a changed ticket is taken") }
    }
}

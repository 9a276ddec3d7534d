import COpenSSL

/// The application protocol (RFC 7301), which is HTTP/1.1.
enum ApplicationProtocol {
    private static let name = Array("http/1.1".utf8)

    /// The name after its length, as it is offered.
    static let offer = [UInt8(name.count)] + name

    /// The callback by which a server chooses among the protocols that a client offers.
    static let select:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> CInt = { _, chosen, length, offered, count, _ in
            // This is safe: OpenSSL lends that many bytes for the call, and copies the choice right after it.
            let list = UnsafeBufferPointer(start: offered, count: Int(count))
            var index = 0
            while index < list.count {
                let next = index + 1 + Int(list[index])
                guard next <= list.count else { break }
                if list[(index + 1)..<next].elementsEqual(name) {
                    chosen?.pointee = offered.map { $0 + index + 1 }
                    length?.pointee = list[index]
                    return SSL_TLSEXT_ERR_OK
                }
                index = next
            }
            return SSL_TLSEXT_ERR_NOACK
        }
}

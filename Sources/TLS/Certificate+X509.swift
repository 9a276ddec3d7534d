import COpenSSL
import Glibc
import Reactor

/// The conversion from OpenSSL's form. Every pointer is either valid for as long as OpenSSL's certificate, or
/// freed here.
extension Certificate {
    /// Reads a certificate; the pointer is borrowed for the call.
    init(reading certificate: OpaquePointer) {
        subject = Self.text(of: X509_get_subject_name(certificate))
        issuer = Self.text(of: X509_get_issuer_name(certificate))
        names = Self.names(of: certificate)
        notBefore = Self.seconds(X509_get0_notBefore(certificate))
        notAfter = Self.seconds(X509_get0_notAfter(certificate))
        let key = X509_get_X509_PUBKEY(certificate)
        pin = TLSPin(subjectPublicKeyInfo: Self.encoded { i2d_X509_PUBKEY(key, $0) })
    }

    /// Returns a date in the form `2027-03-28 02:30 UTC`.
    static func date(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var fields = tm()
        guard gmtime_r(&time, &fields) != nil else { return "\(seconds) s after 1970" }
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
        return "\(day) \(two(fields.tm_hour)):\(two(fields.tm_min)) UTC"
    }

    private static func text(of name: OpaquePointer?) -> String {
        let output = MemoryBIO()
        guard let name, tls_print_name(output.raw, name) >= 0 else { return "" }
        return String(decoding: output.takeAll(), as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
        defer { ASN1_TIME_free(epoch) }
        var (days, seconds): (CInt, CInt) = (0, 0)
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static func encoded(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = encode(&bytes)
        guard count > 0, let bytes else { return [] }
        defer { CRYPTO_free(bytes, #file, #line) }
        // This is safe: OpenSSL allocated that many bytes.
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    private static func names(of certificate: OpaquePointer) -> [String] {
        guard let extensions = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
            return []
        }
        // This is safe: for this extension OpenSSL returns a list of names, which is freed here.
        let list = OpaquePointer(extensions)
        defer { GENERAL_NAMES_free(list) }
        return (0..<max(0, tls_name_count(list))).compactMap { index in
            var kind: CInt = 0
            guard let name = tls_name_at(list, index), let value = GENERAL_NAME_get0_value(name, &kind),
                kind == GEN_DNS || kind == GEN_IPADD
            else { return nil }
            // This is safe: both kinds are strings of ASN.1.
            let string = value.assumingMemoryBound(to: ASN1_STRING.self)
            let length = Int(ASN1_STRING_length(string))
            guard length > 0, let start = ASN1_STRING_get0_data(string) else { return nil }
            let bytes = Array(UnsafeBufferPointer(start: start, count: length))
            if kind == GEN_DNS { return printable(bytes) }
            return bytes.count == 4 || bytes.count == 16 ? IPAddress.text(of: bytes) : nil
        }
    }

    /// Replaces unprintable bytes, since a certificate that is not trusted may contain any.
    private static func printable(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

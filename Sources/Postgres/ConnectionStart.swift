import CPostgres

/// The first step of connecting, which does not block: libpq's `PQconnectStartParams`.
enum ConnectionStart {
    /// Returns the new connection, whose status may be bad; nil without memory.
    static func begin(_ parameters: [String: String]) -> OpaquePointer? {
        var keywords: [UnsafePointer<CChar>?] = []
        var values: [UnsafePointer<CChar>?] = []
        var owned: [UnsafeMutablePointer<CChar>] = []
        defer { for pointer in owned { pointer.deallocate() } }
        for (keyword, value) in parameters {
            let copies = [copy(keyword), copy(value)]
            owned += copies
            keywords.append(copies[0])
            values.append(copies[1])
        }
        return PQconnectStartParams(keywords + [nil], values + [nil], 0)
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = text.utf8CString
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { pointer[index] = byte }
        return pointer
    }
}

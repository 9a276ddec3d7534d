import COpenSSL

/// An error from OpenSSL's queue. The queue belongs to the thread, so it is emptied before each call that is
/// checked, and read right after it.
struct OpenSSLError {
    /// The reason of the oldest error, which is the cause of the others.
    let reason: CInt
    private let code: UInt

    /// Returns the oldest error, and empties the queue.
    static func take() -> OpenSSLError {
        let code = ERR_get_error()
        ERR_clear_error()
        return OpenSSLError(reason: ERR_GET_REASON(code), code: code)
    }

    static func clear() { ERR_clear_error() }

    var text: String {
        guard code != 0, let text = ERR_reason_error_string(code) else { return "OpenSSL gives no reason" }
        return String(cString: text)
    }
}

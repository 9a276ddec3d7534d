package import Contract
import Crypto

/// A key that a client has given a POST request: requests with the same key take effect once.
package struct IdempotencyKey: Hashable, Sendable {
    /// The owner of a key. Keys of different owners have nothing to do with each other.
    package enum Owner: Hashable, Sendable {
        case user(Identifier)
        /// A client without an account, by its address.
        case address(String)
        /// A client without an account whose key no stranger can guess.
        case bearer
    }

    /// The time for which a key and its answer are kept.
    package static let lifetime = Duration.seconds(24 * 3600)

    /// The digest of the key and its owner, under which it is stored.
    let name: [UInt8]
    /// The account of the owner; nil if there is none yet.
    let user: Identifier?
    /// The digest of the method, the path and the body of the request.
    let fingerprint: [UInt8]
    let madeAt: Timestamp

    package init(
        _ text: String, of owner: Owner, method: String, path: String, body: [UInt8], at now: Timestamp
    ) {
        let (user, scope): (Identifier?, String) =
            switch owner {
            case .bearer: (nil, "bearer")
            case .user(let id): (id, "user \(id)")
            case .address(let address): (nil, "address \(address)")
            }
        self.user = user
        name = Digest.sha256(Array("\(scope)\n\(text)".utf8))
        fingerprint = Digest.sha256(Array("\(method) \(path)\n".utf8) + body)
        madeAt = now
    }

    /// The two halves of the key of its advisory lock, which a request that uses it holds.
    var lock: (Int32, Int32) { (Int32(bytes: name[0..<4]), Int32(bytes: name[4..<8])) }

    /// The instant before which a key was made that is forgotten.
    var horizon: Timestamp { madeAt.adding(.zero - Self.lifetime) }
}

/// The error that another request with the same key is under way, or has had its effect meanwhile.
package struct KeyUnderWay: Error {
    package init() {}
}

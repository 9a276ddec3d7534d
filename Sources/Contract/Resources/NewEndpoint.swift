/// The body of `POST /v1/endpoints`.
public struct NewEndpoint: RequestBody {
    /// The address of the receiver, by kind.
    public enum Target: Hashable, Sendable {
        /// The URL of a program, `http` or `https`.
        case webhook(url: String)
        /// An app on an Apple device. `deviceToken` has hexadecimal digits.
        case apns(deviceToken: String, environment: PushEnvironment)
        /// A browser's push subscription: its `endpoint`, and both keys in base64url.
        case webpush(url: String, p256dh: String, auth: String)

        public var kind: EndpointKind {
            switch self {
            case .webhook: .webhook
            case .apns: .apns
            case .webpush: .webpush
            }
        }
    }

    public var target: Target
    /// The types to send; nil for all, for a device or a browser without `slot.partnered` and `slot.alone`.
    public var types: [NotificationType]?

    public static let members: [BodyMember] = [
        .word("kind", BodyMember.name), .word("url", TextRule.url.length.upperBound),
        .text("p256dh", .pushKey), .text("auth", .pushKey),
        .words("types", BodyMember.name, times: NotificationType.allCases.count),
    ]

    public init(_ target: Target, types: [NotificationType]? = nil) {
        self.target = target
        self.types = types
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        let kind = reader.text("kind", Self.kindRule)
        switch EndpointKind(rawValue: kind) {
        case .webhook:
            target = .webhook(url: Self.url(&reader))
        case .apns:
            let token = reader.text("deviceToken", .deviceToken).lowercased()
            if !token.utf8.count.isMultiple(of: 2) || !token.utf8.allSatisfy(Self.isHexadecimal) {
                reader.refuse("deviceToken", "A device token is written in pairs of hexadecimal digits.")
            }
            let environment = reader.optionalText("environment", Self.environmentRule)
            if let environment, PushEnvironment(rawValue: environment) == nil {
                reader.refuse("environment", "environment is production or sandbox.")
            }
            target = .apns(
                deviceToken: token,
                environment: environment.flatMap(PushEnvironment.init(rawValue:)) ?? .production)
        case .webpush:
            let url = Self.url(&reader)
            if !url.isEmpty, !url.lowercased().hasPrefix("https://") {
                reader.refuse("url", "The URL of a browser's subscription begins with https://.")
            }
            target = .webpush(
                url: url, p256dh: reader.text("p256dh", .pushKey), auth: reader.text("auth", .pushKey))
        case nil:
            if !kind.isEmpty { reader.refuse("kind", "kind is webhook, apns or webpush.") }
            for name in ["url", "deviceToken", "environment", "p256dh", "auth"] {
                _ = reader.optionalText(name, .url)
            }
            target = .webhook(url: "")
        }
        types = reader.list("types", 1...NotificationType.allCases.count, of: Self.type)
    }

    private static let kindRule = TextRule(subject: "A kind", length: 1...32)
    private static let environmentRule = TextRule(subject: "An environment", length: 1...32)

    /// Reads the URL; empty if it is invalid.
    private static func url(_ reader: inout RequestReader) -> String {
        let text = reader.text("url", .url)
        if text.isEmpty { return "" }
        do {
            return try WebURL(text).text
        } catch {
            reader.refuse("url", error.text)
            return ""
        }
    }

    private static func type(_ json: JSONValue) throws(ValidationError) -> NotificationType {
        try json.string.flatMap(NotificationType.init(rawValue:)).orThrow(
            ValidationError("There is no such notification; there is \(NotificationType.names)."))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension NewEndpoint: Encodable {
    private enum Key: String, CodingKey { case kind, url, deviceToken, environment, p256dh, auth, types }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(target.kind, forKey: .kind)
        switch target {
        case .webhook(let url): try container.encode(url, forKey: .url)
        case .apns(let deviceToken, let environment):
            try container.encode(deviceToken, forKey: .deviceToken)
            try container.encode(environment, forKey: .environment)
        case .webpush(let url, let p256dh, let auth):
            try container.encode(url, forKey: .url)
            try container.encode(p256dh, forKey: .p256dh)
            try container.encode(auth, forKey: .auth)
        }
        try container.encodeIfPresent(types, forKey: .types)
    }
}

/// The push service of Apple that issued a device token.
public enum PushEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    case production, sandbox
}

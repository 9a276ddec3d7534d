import Contract
import Reactor

/// A reader that converts the text of a setting to a valid value, or throws the reason why it is invalid.
struct SettingReader {
    package let values: SettingValues

    package func integer(
        _ setting: Setting, _ range: ClosedRange<Int>, or standard: Int
    ) throws(ConfigurationError) -> Int {
        guard let value = values[setting] else { return standard }
        guard let number = Self.number(value.text) else {
            throw invalid(setting, "is not a whole number: use \(range.lowerBound) to \(range.upperBound)")
        }
        guard range.contains(number) else {
            throw invalid(
                setting, "is out of range: use \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads a whole number; nil if none is given.
    func optionalInteger(
        _ setting: Setting, _ range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int? {
        values[setting] == nil ? nil : try integer(setting, range, or: range.lowerBound)
    }

    func slotSeconds(_ setting: Setting) throws(ConfigurationError) -> Int {
        let seconds = try integer(setting, 1...86_400, or: ServerConfiguration.standard.slotSeconds)
        guard 86_400 % seconds == 0 else {
            throw invalid(
                setting, "does not divide a day: use a divisor of 86400, such as 900, 1800 or 3600")
        }
        return seconds
    }

    /// Reads a time that may not be longer than the slot. The default is shortened to a short slot.
    func withinSlot(_ setting: Setting) throws(ConfigurationError) -> Int {
        let lengths = try slotLengths(.slotLengths)
        let shortest = if let least = lengths.min() { least * 60 } else { try slotSeconds(.slotSeconds) }
        let standard = ServerConfiguration.standard
        let usual = min(setting == .leadSeconds ? standard.leadSeconds : standard.lateSeconds, shortest)
        let seconds = try integer(setting, 0...86_400, or: usual)
        guard seconds <= shortest else {
            let by = lengths.isEmpty ? Setting.slotSeconds : .slotLengths
            let length = lengths.isEmpty ? "\(shortest)" : values[by]?.text ?? ""
            throw invalid(setting, "is beyond the slot (\(by.name)=\(length)): use 0 to \(shortest)")
        }
        return seconds
    }

    /// The most lengths of slots that people may choose from.
    private static let mostLengths = 8

    /// Reads the lengths of slots in minutes, which are separated by commas or spaces.
    func slotLengths(_ setting: Setting) throws(ConfigurationError) -> [Int] {
        let bounds = 5...SlotKey.mostMinutes
        var lengths: [Int] = []
        for part in values[setting]?.text.split(whereSeparator: { ", \t".contains($0) }) ?? [] {
            guard let minutes = Self.number(String(part)), bounds.contains(minutes) else {
                throw invalid(
                    setting,
                    "has \(part), which is no length: use minutes, \(bounds.lowerBound) to "
                        + "\(bounds.upperBound), such as 25,50")
            }
            if lengths.contains(minutes) { throw invalid(setting, "has \(part) twice") }
            lengths.append(minutes)
        }
        if lengths.count > Self.mostLengths {
            throw invalid(setting, "has \(lengths.count) lengths: use up to \(Self.mostLengths)")
        }
        return lengths
    }

    /// Reads how people may make accounts: `open`, `closed`, or a list of `code` and `invite`.
    func signUps(_ setting: Setting) throws(ConfigurationError) -> [SignUpWay] {
        guard let text = values[setting]?.text.lowercased() else {
            return ServerConfiguration.standard.signUps
        }
        if text == "closed" { return [] }
        let words = text.split { ", \t".contains($0) }
        let ways = words.compactMap { SignUpWay(rawValue: String($0)) }
        guard !ways.isEmpty, ways.count == words.count, Set(ways).count == ways.count,
            ways == [.open] || !ways.contains(.open)
        else { throw invalid(setting, "is not one of these: use open, closed, code, invite or code,invite") }
        return ways
    }

    /// Reads the minutes between the starts of slots whose length is chosen.
    func slotGrid(_ setting: Setting) throws(ConfigurationError) -> Int {
        let standard = ServerConfiguration.standard.slotGridMinutes
        let minutes = try integer(setting, 1...SlotKey.mostMinutes, or: standard)
        guard 1440 % minutes == 0 else {
            throw invalid(setting, "does not divide a day: use a divisor of 1440, such as 15, 30 or 60")
        }
        if values[setting] != nil, try slotLengths(.slotLengths).isEmpty {
            throw invalid(setting, "has no effect without SLOT_LENGTHS: set that too, or leave this out")
        }
        return minutes
    }

    /// Reads the retention, of at least 45 days: the matching reads the meetings of the last 31 days from the
    /// slots, and deliveries, which are kept as long, read their notifications.
    func retentionDays(_ setting: Setting) throws(ConfigurationError) -> Int {
        let standard = ServerConfiguration.standard.retentionDays
        let days = try integer(setting, 0...36_500, or: standard)
        if (1..<45).contains(days) { throw invalid(setting, "is too short: use 45 or more, or 0") }
        return days
    }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting, or standard: Choice
    ) throws(ConfigurationError) -> Choice {
        guard let value = values[setting] else { return standard }
        // The words for switches of before; no other setting has a choice of these names.
        let text = value.text.lowercased()
        guard let choice = Choice(rawValue: ["true": "on", "false": "off"][text] ?? text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(setting, "is not one of these: use \(names)")
        }
        return choice
    }

    /// Reads an address or a name; an IPv6 address may have brackets.
    func host(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard var host = values[setting]?.text else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isShort =
            host.utf8.count <= 253 && host.split(separator: ".").allSatisfy { $0.utf8.count <= 63 }
        guard !host.isEmpty, isShort, host.utf8.allSatisfy(Self.isHostByte) else {
            throw invalid(setting, "is not an address: use one such as 127.0.0.1, 0.0.0.0 or ::1")
        }
        return host
    }

    /// Reads a list that is separated by commas or spaces.
    func networks(_ setting: Setting) throws(ConfigurationError) -> [IPNetwork] {
        try list(setting, "no address and no network: use such as 10.0.0.7, 10.0.0.0/8 or fd00::/8") {
            IPNetwork($0)
        }
    }

    /// Reads a list of origins (RFC 6454 §6.2) that is separated by commas or spaces.
    func origins(_ setting: Setting) throws(ConfigurationError) -> [String] {
        try list(
            setting,
            "no origin: use a scheme, a host in lower case and a port that is not the usual one, such as "
                + "https://app.example.org, http://localhost:5173 or capacitor://localhost"
        ) { origin in
            (try? WebURL(origin))?.origin == origin || Self.isAppOrigin(origin) ? origin : nil
        }
    }

    /// Whether a text is the origin of an app's or an extension's pages, as browsers send it: a scheme of the
    /// app's own, and a host.
    private static func isAppOrigin(_ text: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        }
        guard let gap = text.firstRange(of: "://") else { return false }
        let (scheme, host) = (text[..<gap.lowerBound].utf8, text[gap.upperBound...].utf8)
        return !["http", "https", "ws", "wss", "ftp", "file"].contains(String(text[..<gap.lowerBound]))
            && scheme.first.map { (0x61...0x7A).contains($0) } == true
            && scheme.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
            && !host.isEmpty && host.allSatisfy { isAlphanumeric($0) || "-._".utf8.contains($0) }
    }

    /// The most fields, and the most bytes of all.
    private static let (mostFields, mostFieldBytes) = (16, 8_192)

    /// Reads fields of a request, `name=value` each, that are separated by commas. Nothing of them is in the
    /// error, since a value may be a secret.
    func fields(_ setting: Setting) throws(ConfigurationError) -> [String: String] {
        let text = values[setting]?.text ?? ""
        let parts = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Self.mostFields, text.utf8.count <= Self.mostFieldBytes, Self.isOneLine(text)
        else {
            throw invalid(
                setting, "is too long, or has control characters: use up to \(Self.mostFields) fields")
        }
        var fields: [String: String] = [:]
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { Self.trimmed($0) }
            guard halves.count == 2, !halves[1].isEmpty, Self.isFieldName(halves[0]),
                halves[1].utf8.allSatisfy({ $0 < 0x80 })
            else { throw invalid(setting, "is not a list of fields: use Authorization=Bearer x,X-Other=y") }
            let name = halves[0].lowercased()
            if fields[name] != nil || Self.ownFields.contains(name) {
                throw invalid(setting, "has a field twice, or one that the server writes itself")
            }
            fields[name] = halves[1]
        }
        return fields
    }

    private static let ownFields: Set = [
        "connection", "content-length", "content-type", "host", "transfer-encoding",
    ]

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func isFieldName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isNameByte)
    }

    package func path(_ setting: Setting) throws(ConfigurationError) -> String? {
        try text(setting, "is not a path: it has control characters", Self.isOneLine)
    }

    /// Reads the number of connections to PostgreSQL; nil if none is given. The desk needs some of them.
    func databaseConnections(_ setting: Setting) throws(ConfigurationError) -> Int? {
        let desk = try port(.adminPort) == nil ? 0 : ServerConfiguration.deskConnections
        return try optionalInteger(
            setting, (ServerConfiguration.leastDatabaseConnections + desk)...10_000)
    }

    package func databaseURL(_ setting: Setting) throws(ConfigurationError) -> String? {
        try text(
            setting, "is no PostgreSQL URL: use postgresql://user@host/database, or libpq's key=value pairs"
        ) { text in
            let isURL = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
            return (isURL || (text.contains("=") && !text.contains("://"))) && Self.isOneLine(text)
        }
    }

    /// Reads a key that signs something.
    func key(_ setting: Setting) throws(ConfigurationError) -> String? {
        try text(setting, "is too short: use 32 characters or more, such as `openssl rand -hex 32`") {
            $0.count >= 32
        }
    }

    /// Reads a text; nil without a value. `reason` is the fault of one that is not valid.
    func text(
        _ setting: Setting, _ reason: String, _ isValid: (String) -> Bool
    ) throws(ConfigurationError) -> String? {
        guard let text = values[setting]?.text else { return nil }
        guard isValid(text) else { throw invalid(setting, reason) }
        return text
    }

    /// Reads a list with commas or blanks between its parts, each part once. `read` returns nil for a wrong
    /// part, which is none of the `kind`.
    func list<Element: Equatable>(
        _ setting: Setting, _ kind: String, _ read: (String) -> Element?
    ) throws(ConfigurationError) -> [Element] {
        var list: [Element] = []
        for part in values[setting]?.text.split(whereSeparator: { ", \t".contains($0) }) ?? [] {
            guard let element = read(String(part)) else {
                throw invalid(setting, "has \(part), which is \(kind)")
            }
            if !list.contains(element) { list.append(element) }
        }
        return list
    }

    package func invalid(_ setting: Setting, _ reason: String) -> ConfigurationError {
        if setting.isSecret { return .invalidSecret(name: setting.name, reason: reason) }
        return .invalid(name: setting.name, value: values[setting]?.text ?? "", reason: reason)
    }

    /// Reads an `http` or `https` URL of scheme, host, port and path, and removes slashes at its end.
    package func webURL(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = values[setting]?.text else { return nil }
        do throws(ValidationError) {
            let address = try WebURL(text).address
            guard address.query == nil else { throw ValidationError("The URL may have no query (?…).") }
            let authority = WebAddress.authority(host: address.host, port: address.port)
            let path = address.path.reversed().drop { $0 == "/" }.reversed()
            return "\(address.scheme)://\(authority)\(String(path))"
        } catch {
            throw invalid(setting, "cannot be used: \(error.detail)")
        }
    }

    /// Reads a URL whose path, if it has one, all programs spell in one way: the segments of a path have
    /// letters, digits and `-._~`, and are neither empty nor `.` nor `..`.
    func publicURL(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = try webURL(setting) else { return nil }
        let path = (try? WebURL(text))?.address.path ?? ""
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = segments.allSatisfy { segment in
            ![".", "..", ""].contains(segment)
                && segment.utf8.allSatisfy { Self.isAlphanumeric($0) || "-._~".utf8.contains($0) }
        }
        if isPlain { return text }
        throw invalid(setting, "has a path that cannot be used: use letters, digits and - . _ ~ in it")
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Reads digits with an optional minus sign; `Int` alone would accept a plus sign too.
    private static func number(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(text) : nil
    }

    static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    static func isNameByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || ".-_".utf8.contains(byte) }

    /// Returns whether a host may have the byte; `%` begins a zone, as in `fe80::1%eth0`.
    private static func isHostByte(_ byte: UInt8) -> Bool { isNameByte(byte) || ":%".utf8.contains(byte) }
}

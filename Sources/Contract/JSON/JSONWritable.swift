/// A value that writes its JSON itself: a text, a number or a truth value, and a registration. A page has
/// many of these, and the calls of `Encodable` take eight to ten times as long.
protocol JSONWritable {
    /// Appends the bytes that `JSON.encode` writes.
    func write(json bytes: inout [UInt8]) throws
}

extension [UInt8] {
    /// Appends a member of an object and a comma; none for a value that is missing. The caller has the order
    /// of the names; `name` is the JSON of one, with its colon.
    mutating func append(member name: StaticString, _ value: (some JSONWritable)?) throws {
        if let value { try append(name, value) }
    }

    /// Appends a member that is null if its value is missing.
    mutating func append(nullable name: StaticString, _ value: (some JSONWritable)?) throws {
        if let value { return try append(name, value) }
        name.withUTF8Buffer { append(contentsOf: $0) }
        append(contentsOf: "null,".utf8)
    }

    private mutating func append(_ name: StaticString, _ value: some JSONWritable) throws {
        name.withUTF8Buffer { append(contentsOf: $0) }
        try value.write(json: &self)
        append(UInt8(ascii: ","))
    }

    /// Ends an object or a list that has members: the bracket takes the place of the last comma.
    mutating func append(closing bracket: UInt8) { self[count - 1] = bracket }
}

extension Array: JSONWritable where Element: JSONWritable {
    func write(json bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "["))
        for element in self {
            try element.write(json: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        if isEmpty { bytes.append(UInt8(ascii: "]")) } else { bytes.append(closing: UInt8(ascii: "]")) }
    }
}

extension Identifier: JSONWritable {
    func write(json bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension Timestamp: JSONWritable {
    func write(json bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension SlotSpan: JSONWritable {
    func write(json bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "{"))
        try bytes.append(member: "\"endsAt\":", endsAt)
        try bytes.append(member: "\"startsAt\":", startsAt)
        bytes.append(closing: UInt8(ascii: "}"))
    }
}

extension Registration: JSONWritable {
    func write(json bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "{"))
        try bytes.append(member: "\"adjusted\":", adjusted?.rawValue)
        try bytes.append(member: "\"checkIn\":", checkIn)
        try bytes.append(member: "\"createdAt\":", createdAt)
        try bytes.append(member: "\"id\":", id)
        try bytes.append(member: "\"note\":", note)
        try bytes.append(member: "\"outcome\":", outcome?.rawValue)
        try bytes.append(member: "\"quiet\":", quiet)
        try bytes.append(nullable: "\"roomId\":", roomId)
        try bytes.append(member: "\"routineId\":", routineId)
        try bytes.append(member: "\"slot\":", slot)
        try bytes.append(member: "\"state\":", state.rawValue)
        try bytes.append(nullable: "\"tag\":", tag)
        try bytes.append(member: "\"task\":", task)
        try bytes.append(member: "\"updatedAt\":", updatedAt)
        try bytes.append(member: "\"with\":", with?.rawValue)
        bytes.append(closing: UInt8(ascii: "}"))
    }
}

extension RegistrationList: JSONWritable {
    func write(json bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "{"))
        try bytes.append(member: "\"nextCursor\":", nextCursor)
        try bytes.append(member: "\"registrations\":", registrations)
        bytes.append(closing: UInt8(ascii: "}"))
    }
}

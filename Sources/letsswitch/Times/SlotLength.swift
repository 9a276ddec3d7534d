import Contract

/// The value of `--for`: a length of slots in minutes.
enum SlotLength {
    static let option = Command.Option(
        name: "for", value: "MINUTES", completion: .words(["25", "50"]),
        meaning: "How long, if the service has slots of several lengths: \"slots\" lists them")

    /// Returns the length that is asked for; nil if none is. The service knows which ones there are.
    static func read(_ arguments: ParsedArguments) throws(Failure) -> Int? {
        guard let text = arguments.value("for") else { return nil }
        let digits = text.hasSuffix("m") ? text.dropLast() : text[...]
        guard let minutes = Int(digits), minutes > 0 else {
            throw .usage("\"\(SafeText.escape(text))\" is no length. --for takes minutes, like 25.")
        }
        return minutes
    }

    /// Returns the list if its slots have the length that was asked for; a service with slots of one length
    /// ignores what it is asked.
    static func check(_ minutes: Int?, in list: SlotList) throws(Failure) -> SlotList {
        if minutes == nil || list.minutes == minutes { return list }
        throw .usage("All slots of this service have one length; leave out --for.")
    }
}

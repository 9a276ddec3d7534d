import Contract

/// A state whose raw value is its word for people in English.
protocol WordedState: RawRepresentable<String> {}

extension WordedState {
    /// The state as a word for people.
    var word: String { Text(english: rawValue).local }
}

extension Extensible where Known: WordedState {
    /// The state as a word for people; the server's own word if this version does not know the state.
    var word: String { known?.word ?? SafeText.escape(rawValue) }
}

extension SlotState: WordedState {}
extension RegistrationState: WordedState {}
extension EndpointState: WordedState {}
extension Routine.State: WordedState {}
extension RoutineOccurrence.State: WordedState {}

extension Extensible<RoomCloser> {
    /// A sentence for the members of the room.
    var sentence: String { (known?.message ?? "The room was closed.").local }
}

extension Weekday {
    /// The whole name: `monday` to `sunday` in English.
    var longName: Text { Text(english: name) }

    /// The short name: `Mon` to `Sun` in English.
    var shortName: String { Text(english: name.prefix(1).uppercased() + name.prefix(3).dropFirst()).local }
}

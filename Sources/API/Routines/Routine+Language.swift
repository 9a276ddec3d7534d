import Contract

extension Routine {
    /// Returns the routine with the details of its days in that language.
    func said(in language: Language) -> Routine {
        var said = self
        for index in next.indices { said.next[index].say(in: language) }
        for index in problems.indices { said.problems[index].say(in: language) }
        return said
    }
}

extension RoutineOccurrence {
    fileprivate mutating func say(in language: Language) {
        detail = detail.map { Text(english: $0).said(in: language) }
    }
}

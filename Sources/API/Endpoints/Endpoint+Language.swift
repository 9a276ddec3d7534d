import Contract

extension Endpoint {
    /// Returns the endpoint with its reason and its outcomes in that language. They are stored in English.
    func said(in language: Language) -> Endpoint {
        var said = self
        said.reason = reason.map { Text(recognising: $0).said(in: language) }
        said.outcomes = outcomes?.map { $0.said(in: language) }
        return said
    }
}

extension EndpointOutcome {
    /// Returns the outcome with its detail in that language. Other servers' words stay as they are.
    func said(in language: Language) -> EndpointOutcome {
        var said = self
        said.detail = Text(recognising: detail).said(in: language)
        return said
    }
}

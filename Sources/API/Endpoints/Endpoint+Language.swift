import Contract

extension Endpoint {
    /// Returns the endpoint with its reason and its outcomes in that language.
    func said(in language: Language) -> Endpoint {
        var said = self
        said.reason = reason.map { Text(verbatim: $0.said(in: language)) }
        said.outcomes = outcomes?.map { $0.said(in: language) }
        return said
    }
}

extension EndpointOutcome {
    /// Returns the outcome with its detail in that language. Other servers' words stay as they are.
    func said(in language: Language) -> EndpointOutcome {
        var said = self
        said.detail = Text(verbatim: detail.said(in: language))
        return said
    }
}

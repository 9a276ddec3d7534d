/// The results of a query so far.
struct Exchange {
    /// The kinds of a query.
    enum Form { case statement, copy, pipeline }

    let form: Form
    private(set) var results: [ResultHandle] = []
    /// The first error.
    private(set) var error: PostgresError?

    init(form: Form) { self.form = form }

    var answer: Channel.Answer { error.map { .failure($0) } ?? .success(results) }

    /// Keeps the result of a statement: of a pipeline all of them, otherwise the last one.
    mutating func add(_ result: ResultHandle) {
        if form != .pipeline { results.removeAll() }
        results.append(result)
    }

    mutating func fail(_ result: ResultHandle) {
        let error = result.serverError.map { PostgresError.server($0) }
        self.error = self.error ?? error ?? .connectionLost(result.errorMessage)
    }
}

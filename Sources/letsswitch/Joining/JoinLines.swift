import Client

/// A join as plain lines, or as JSON.
final class JoinLines: JoinView {
    private let console: Console

    init(_ console: Console) { self.console = console }

    func show(_ model: JoinModel, _ joinEvent: JoinEvent?) { console.tell(joinEvent) }

    func warn(_ health: Health) {
        if case .unhealthy(let suggestion) = health, !console.isJSON { console.warn(suggestion.said) }
    }

    func end() {}
}

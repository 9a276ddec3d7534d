import Client

/// A view of a join. On the loop only.
protocol JoinView: AnyObject {
    /// Called when the model has changed, or time has passed.
    func show(_ model: JoinModel, _ joinEvent: JoinEvent?)
    /// Called when the health of the connection has changed; a display shows it by the model.
    func warn(_ health: Health)
    func end()
}

extension JoinView {
    func warn(_ health: Health) {}
}

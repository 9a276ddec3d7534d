import Client

/// How a join is shown. On the loop only.
protocol JoinView: AnyObject {
    /// The model has changed, or time has passed.
    func show(_ model: JoinModel, _ joinEvent: JoinEvent?)
    /// The health of the connection has changed; a display shows it by the model.
    func warn(_ health: Health)
    func end()
}

extension JoinView {
    func warn(_ health: Health) {}
}

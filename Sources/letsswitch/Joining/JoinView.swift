/// How a join is shown. On the loop only.
protocol JoinView: AnyObject {
    /// The model has changed, or time has passed.
    func show(_ model: JoinModel, _ news: JoinNews?)
    func end()
}

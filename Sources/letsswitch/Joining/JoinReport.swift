/// Prints news, a line each.
struct JoinReport {
    private let console: Console

    init(_ console: Console) { self.console = console }

    func tell(_ news: JoinEvent?) {
        guard let news else { return }
        console.json(news)
        console.line("\(LocalClock.timeWithSeconds(news.at)) \(news.text)")
    }
}

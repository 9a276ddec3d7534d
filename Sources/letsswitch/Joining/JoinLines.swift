/// A join as plain lines, or as JSON.
final class JoinLines: JoinView {
    private let report: JoinReport

    init(_ console: Console) { report = JoinReport(console) }

    func show(_ model: JoinModel, _ news: JoinNews?) { report.tell(news) }

    func end() {}
}

import Contract

/// Reads rules by which days come again.
///
/// Oracle: a rule is refused with a sentence, or survives being written and read; its days are in order, in
/// the window, on its days of the week, and no more than its count.
enum RecurrenceFuzz {
    static func test(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(ValidationError) {
            let rule = try RecurrenceRule(text)
            let again = try RecurrenceRule(rule.description)
            expect(again == rule, "\(text) changed in writing")
            guard let start = LocalDate(year: 2027, month: 3, day: 28) else { return }
            let through = start.adding(days: 1000)
            let dates = rule.dates(from: start, since: start, through: through)
            expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 }, "days are out of order")
            expect(dates.allSatisfy { $0 >= start && $0 <= through }, "a day is outside of the window")
            if !rule.days.isEmpty {
                expect(dates.allSatisfy { rule.days.contains($0.dayOfWeek) }, "a day of another name")
            }
            switch rule.end {
            case .never: break
            case .count(let count): expect(dates.count <= count, "there are more days than counted")
            case .until(let last): expect(dates.allSatisfy { $0 <= last }, "a day is past the last one")
            }
        } catch {
            expect(!error.detail.isEmpty, "an error says nothing")
        }
    }
}

import Codecs
import Testing

@Suite("A histogram")
struct HistogramTests {
    @Test("counts a value at every bound that is not below it")
    func cumulative() {
        var histogram = Histogram(bounds: [0.25, 1, 10])
        for value in [0, 0.25, 0.5, 1, 1.5, 11] { histogram.add(value) }
        #expect(histogram.cumulative.map(\.bound) == [0.25, 1, 10])
        #expect(histogram.cumulative.map(\.count) == [2, 4, 5])
        #expect(histogram.count == 6 && histogram.sum == 14.25)
    }

    @Test("is empty at first")
    func empty() {
        let histogram = Histogram(bounds: [1, 2])
        #expect(histogram.cumulative.map(\.count) == [0, 0])
        #expect(histogram.count == 0 && histogram.sum == 0)
    }
}

import Testing

@testable import bench

struct DurationHistogramTests {
    @Test(
        "a single value comes back, at most 0.8 % too high",
        arguments: [0, 1, 127, 128, 129, 255, 256, 257, 999_999, 1 << 40, UInt64(Int64.max), .max])
    func singleValue(value: UInt64) {
        var histogram = DurationHistogram()
        histogram.add(value)
        histogram.add(.max)
        let found = histogram.percentile(0.5)
        #expect(found >= value && Double(found - value) <= Double(value) * 0.008)
    }

    @Test(
        "percentiles of 1 to 1,000 are where they should be",
        arguments: [(0.5, 500.0), (0.9, 900), (0.99, 990)])
    func percentiles(share: Double, expected: Double) {
        var histogram = DurationHistogram()
        for value in 1...1000 { histogram.add(UInt64(value)) }
        let found = Double(histogram.percentile(share))
        #expect(found >= expected && found <= expected * 1.008)
        #expect(histogram.mean == 500.5 && histogram.largest == 1000)
    }
}

import Reactor
import Testing

@testable import Settings

@Suite("The rows of settings")
struct SettingBoundsTests {
    private static let numbers = Setting.allCases.filter { $0.bounds != nil }

    private func read(_ setting: Setting, _ number: Int) throws(ConfigurationError) {
        _ = try ServerConfiguration(arguments: [], environment: [setting.name: "\(number)"])
    }

    @Test("accept both bounds of a whole number, and refuse the numbers beyond them", arguments: numbers)
    func bounds(setting: Setting) throws {
        let bounds = try #require(setting.bounds)
        for number in [bounds.lowerBound, bounds.upperBound] { try read(setting, number) }
        for number in [bounds.lowerBound - 1, bounds.upperBound + 1] {
            let reason = "is out of range: use \(bounds.lowerBound) to \(bounds.upperBound)"
            #expect(
                throws: ConfigurationError.invalid(name: setting.name, value: "\(number)", reason: reason)
            ) { try read(setting, number) }
        }
    }

    @Test("have a default within their bounds, and no placeholder in what people read", arguments: numbers)
    func defaults(setting: Setting) throws {
        if let standard = Int(setting.standard) { #expect(setting.bounds?.contains(standard) == true) }
        #expect(!setting.meaning.contains("{"))
    }

    @Test("lift each limit of an address or an account where one machine plays many people")
    func lifted() throws {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let lines = try SmallFile.read("\(tests)/unlimited.env").split(separator: "\n").map(String.init)
        let limits = Setting.allCases.filter {
            ($0.meaning.contains("account") || $0.meaning.contains("address"))
                && $0.meaning.hasSuffix("0 is no limit") && $0.standard != "0"
        }
        #expect(Set(lines) == Set(limits.map { "\($0.name)=0" }))
    }
}

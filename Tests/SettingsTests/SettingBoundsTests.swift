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

    @Test("have a default within their bounds", arguments: numbers)
    func defaults(setting: Setting) throws {
        if let standard = Int(setting.standard) { #expect(setting.bounds?.contains(standard) == true) }
    }

    @Test("are explained by sentences with the bounds of a number", arguments: Setting.allCases)
    func meanings(setting: Setting) {
        #expect(setting.meaning.first?.isLowercase == false && setting.meaning.last == ".")
        #expect(!setting.meaning.contains("{") && !setting.meaning.contains("|"))
        if let bounds = setting.bounds { #expect(setting.meaning.contains(" to \(bounds.upperBound)")) }
    }

    @Test("are explained with each word that they accept")
    func words() {
        var count = 0
        for setting in Setting.allCases {
            do throws(ConfigurationError) {
                _ = try ServerConfiguration(arguments: [], environment: [setting.name: "?"])
            } catch {
                guard let words = "\(error)".firstMatch(of: /is not one of these: use (.*)\.$/)?.1 else {
                    continue
                }
                count += 1
                for word in words.split(whereSeparator: { ", ".contains($0) }) {
                    #expect(setting.meaning.contains(word), "\(setting.name) has no \(word)")
                }
            }
        }
        #expect(count > 10)
    }

    @Test("lift each limit of an address or an account where one machine plays many people")
    func lifted() throws {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let lines = try SmallFile.read("\(tests)/unlimited.env").split(separator: "\n").map(String.init)
        let limits = Setting.allCases.filter {
            ($0.meaning.contains("account") || $0.meaning.contains("address"))
                && $0.meaning.hasSuffix("0 means no limit.") && $0.standard != "0"
        }
        #expect(Set(lines) == Set(limits.map { "\($0.name)=0" }))
    }
}

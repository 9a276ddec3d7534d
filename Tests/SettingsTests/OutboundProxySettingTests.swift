import Contract
import Reactor
import Testing

@testable import Settings

@Suite("The settings of the outbound proxy")
struct OutboundProxySettingTests {
    private func configuration(_ environment: [String: String]) throws -> ServerConfiguration {
        try ServerConfiguration(arguments: [], environment: environment)
    }

    @Test("are read, and operators are shown no credentials")
    func read() throws {
        let configuration = try self.configuration([
            "OUTBOUND_PROXY": "http://anna:secret@proxy:3128", "NO_OUTBOUND_PROXY": "collector, 10.0.0.0/8",
        ])
        let proxy = try #require(configuration.outboundProxy)
        #expect("\(proxy)" == "http://proxy:3128" && proxy.credentials?.password == "secret")
        #expect(configuration.noOutboundProxy.contains("collector"))
        #expect(configuration.noOutboundProxy.contains("10.0.0.7"))
        #expect(!configuration.noOutboundProxy.contains("example.org"))
        #expect(!String(reflecting: configuration).contains("secret"))
        #expect(try self.configuration([:]).outboundProxy == nil)
    }

    @Test("are refused without a part of the URL in the error")
    func faults() throws {
        for url in ["socks5://anna:secret@proxy", "http://anna:se/cret@proxy:1", "http://anna:secret"] {
            let error = #expect(throws: ConfigurationError.self) {
                try configuration(["OUTBOUND_PROXY": url])
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.hasPrefix("OUTBOUND_PROXY is no URL of a proxy"), "\(text)")
            #expect(!text.contains("cret"), "\(text)")
        }
        let error = #expect(throws: ConfigurationError.self) {
            try configuration(["NO_OUTBOUND_PROXY": "a/b"])
        }
        #expect(error.map { "\($0)".contains("has a/b, which is no host") } == true)
    }
}

import Contract
import Crypto
import Reactor

extension ServerConfiguration {
    /// The push services of the browsers in use: Chromium, Firefox, Safari and Edge.
    package static let knownPushServices = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
        "*.notify.windows.com",
    ]
}

extension SettingReader {
    /// Reads the settings for Apple's push service, of which either all are given or none.
    package func apns(_: Setting) throws(ConfigurationError) -> APNsConfiguration? {
        let parts: [Setting] = [.apnsKey, .apnsKeyID, .apnsTeamID, .apnsTopic]
        if let given = parts.first(where: { values[$0] != nil }),
            let missing = parts.first(where: { values[$0] == nil })
        {
            throw invalid(given, "is of no use without \(missing.name): give both, or neither")
        }
        if values[.apnsURL] != nil, values[.apnsKey] == nil {
            throw invalid(.apnsURL, "is of no use without APNS_KEY: give both, or neither")
        }
        guard let key = values[.apnsKey]?.text, let keyID = try appleID(.apnsKeyID),
            let teamID = try appleID(.apnsTeamID), let topic = try apnsTopic()
        else { return nil }
        let configuration = APNsConfiguration(
            key: key, keyID: keyID, teamID: teamID, topic: topic, url: try webURL(.apnsURL))
        do throws(CryptoError) {
            _ = try configuration.privateKey()
        } catch {
            throw invalid(.apnsKey, "cannot be used: \(error)")
        }
        return configuration
    }

    /// Reads the URL of a proxy.
    func proxy(_ setting: Setting) throws(ConfigurationError) -> ProxyURL? {
        guard let text = values[setting]?.text else { return nil }
        return try ProxyURL(text).orThrow(
            invalid(
                setting,
                "is no URL of a proxy: use http://host:port or http://user:password@host:port, with %XX for "
                    + "signs such as / and @ in the password"))
    }

    /// Reads names, addresses and networks that are separated by commas or spaces.
    func hostList(_ setting: Setting) throws(ConfigurationError) -> HostList {
        var list = HostList()
        for part in values[setting]?.text.split(whereSeparator: { ", \t".contains($0) }) ?? []
        where !list.add(part) {
            throw invalid(
                setting, "has \(part), which is no host: use such as example.org, 10.0.0.7, 10.0.0.0/8 or *")
        }
        return list
    }

    /// Reads hosts that are separated by commas or spaces; those that are known if none are given.
    func pushServices(_ setting: Setting) throws(ConfigurationError) -> [String] {
        if values[setting] == nil { return ServerConfiguration.knownPushServices }
        return try list(setting, "no host: use such as push.example.org or *.example.org") { part in
            let host = part.hasPrefix("*.") ? String(part.dropFirst(2)) : part
            return (try? WebURL("https://\(host)"))?.origin == "https://\(host)" ? part : nil
        }
    }

    private func appleID(_ setting: Setting) throws(ConfigurationError) -> String? {
        try text(setting, "is no id of Apple's: use its ten letters and digits") {
            $0.utf8.count == 10 && $0.utf8.allSatisfy(Self.isAlphanumeric)
        }
    }

    private func apnsTopic() throws(ConfigurationError) -> String? {
        try text(.apnsTopic, "is no bundle identifier: use one such as org.example.app") {
            (1...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }

    package func vapidPrivateKey(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = values[setting]?.text else { return nil }
        do throws(CryptoError) {
            _ = try P256PrivateKey(text: text)
        } catch {
            throw invalid(setting, "cannot be used: \(error)")
        }
        return text
    }

    /// Reads the VAPID subject (RFC 8292 §2.1). The default is PUBLIC_URL, if it has TLS, as a subject must.
    func vapidSubject(_ setting: Setting) throws(ConfigurationError) -> String? {
        guard let text = values[setting]?.text else {
            return try webURL(.publicURL).flatMap { $0.hasPrefix("https://") ? $0 : nil }
        }
        guard text.hasPrefix("mailto:") || text.hasPrefix("https://") else {
            throw invalid(setting, "is no address: use mailto:you@example.org or https://…")
        }
        return text
    }
}

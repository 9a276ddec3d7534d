import Contract
import Crypto

extension SettingReader {
    /// All of them, or none.
    func apns() throws(ConfigurationError) -> APNsConfiguration? {
        let parts: [Setting] = [.apnsKey, .apnsKeyID, .apnsTeamID, .apnsTopic]
        if let given = parts.first(where: { values[$0] != nil }),
            let missing = parts.first(where: { values[$0] == nil })
        {
            throw invalid(given, "is of no use without \(missing.name): give both, or neither")
        }
        guard let key = values[.apnsKey]?.text, let keyID = values[.apnsKeyID]?.text,
            let teamID = values[.apnsTeamID]?.text, let topic = values[.apnsTopic]?.text
        else { return nil }
        let configuration = APNsConfiguration(
            key: key, keyID: keyID, teamID: teamID, topic: topic, url: try apnsURL())
        do throws(CryptoError) {
            _ = try ProviderTokens(configuration)
        } catch {
            throw invalid(.apnsKey, "cannot be used: \(error)")
        }
        return configuration
    }

    private func apnsURL() throws(ConfigurationError) -> String? {
        guard let text = values[.apnsURL]?.text else { return nil }
        guard let url = PublicURL(text) else {
            throw invalid(.apnsURL, "is not a web address: use http:// or https:// and a host")
        }
        return url.text
    }

    func vapidPrivateKey() throws(ConfigurationError) -> String? {
        guard let text = values[.vapidPrivateKey]?.text else { return nil }
        do throws(CryptoError) {
            _ = try VAPIDKey.parse(text)
        } catch {
            throw invalid(.vapidPrivateKey, "cannot be used: \(error)")
        }
        return text
    }

    /// RFC 8292 §2.1. Where nobody says, PUBLIC_URL leads to the operator; one without TLS would not be a subject.
    func vapidSubject(publicURL: String?) throws(ConfigurationError) -> String? {
        guard let text = values[.vapidSubject]?.text else {
            return publicURL.flatMap { $0.hasPrefix("https://") ? $0 : nil }
        }
        guard text.hasPrefix("mailto:") || text.hasPrefix("https://") else {
            throw invalid(.vapidSubject, "is no address: use mailto:you@example.org or https://…")
        }
        return text
    }
}

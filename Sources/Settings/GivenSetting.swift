/// A setting that was given, as operators see it.
package struct GivenSetting: Equatable, Sendable {
    package enum Source: String, Sendable { case flag, environment, file }

    package let source: Source
    /// The text; nil for a secret.
    package let text: String?
}

/// The settings that were given, and where. All are equal: configurations that do the same are the same,
/// wherever their values come from.
package struct GivenSettings: Equatable, Sendable {
    var values: [Setting: GivenSetting] = [:]

    package subscript(setting: Setting) -> GivenSetting? { values[setting] }

    package static func == (left: GivenSettings, right: GivenSettings) -> Bool { true }
}

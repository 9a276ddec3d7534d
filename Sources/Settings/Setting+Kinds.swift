/// The row of a setting: its default, its meaning, and how its value gets into the configuration.
package struct SettingRow {
    /// The default, for people.
    package let standard: String
    package let meaning: String
    /// The bounds of a whole number.
    var bounds: ClosedRange<Int>?
    let read: (Setting, SettingReader, inout ServerConfiguration) throws(ConfigurationError) -> Void

    /// Returns the row of a whole number. In the meaning, `{bounds}` and `{most}` stand for the bounds.
    static func integer(
        _ path: WritableKeyPath<ServerConfiguration, Int>, _ bounds: ClosedRange<Int>,
        standard: String? = nil, _ meaning: String
    ) -> SettingRow {
        let standard = standard ?? "\(ServerConfiguration.standard[keyPath: path])"
        return SettingRow(standard: standard, meaning: filled(meaning, bounds), bounds: bounds) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.integer(
                setting, bounds, or: configuration[keyPath: path])
        }
    }

    /// Returns the row of one of several words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ path: WritableKeyPath<ServerConfiguration, Choice>, _ meaning: String
    ) -> SettingRow {
        let standard = ServerConfiguration.standard[keyPath: path].rawValue
        return SettingRow(standard: standard, meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.choice(setting, or: configuration[keyPath: path])
        }
    }

    /// Returns the row of a whole number that can be left out.
    static func integer(
        _ path: WritableKeyPath<ServerConfiguration, Int?>, _ bounds: ClosedRange<Int>, standard: String,
        _ meaning: String
    ) -> SettingRow {
        SettingRow(standard: standard, meaning: filled(meaning, bounds), bounds: bounds) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.optionalInteger(setting, bounds)
        }
    }

    private static func filled(_ meaning: String, _ bounds: ClosedRange<Int>) -> String {
        meaning.replacing("{bounds}", with: "\(bounds.lowerBound) to \(bounds.upperBound)")
            .replacing("{most}", with: "\(bounds.upperBound)")
    }

    /// The way in which the reader reads a value.
    typealias Reading<Value> = (SettingReader) -> (Setting) throws(ConfigurationError) -> Value

    /// Returns the row of a value whose text is its default; nil keeps that.
    static func kept<Value>(
        _ path: WritableKeyPath<ServerConfiguration, Value>, _ read: @escaping Reading<Value?>,
        _ meaning: String
    ) -> SettingRow {
        SettingRow(standard: "\(ServerConfiguration.standard[keyPath: path])", meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            if let value = try read(reader)(setting) { configuration[keyPath: path] = value }
        }
    }

    /// Returns the row of a value whose default has words of its own.
    static func given<Value>(
        _ path: WritableKeyPath<ServerConfiguration, Value>, _ standard: String,
        _ read: @escaping Reading<Value>, _ meaning: String
    ) -> SettingRow {
        SettingRow(standard: standard, meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try read(reader)(setting)
        }
    }

    /// Returns the row of a setting that is read together with another one.
    static func part(_ standard: String, _ meaning: String) -> SettingRow {
        SettingRow(standard: standard, meaning: meaning) { _, _, _ in }
    }
}

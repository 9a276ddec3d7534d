/// The kinds of settings.
extension Setting {
    typealias Member<Value> = any WritableKeyPath<ServerConfiguration, Value> & Sendable

    /// Returns the setting of a whole number. In the meaning, `{bounds}` and `{most}` stand for the bounds.
    static func integer(
        _ name: String, _ path: Member<Int>, _ bounds: ClosedRange<Int>,
        standard: String? = nil, _ meaning: String
    ) -> Setting {
        let standard = standard ?? "\(ServerConfiguration.standard[keyPath: path])"
        return Setting(name: name, standard: standard, meaning: filled(meaning, bounds), bounds: bounds) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.integer(
                setting, bounds, or: configuration[keyPath: path])
        }
    }

    /// Returns the setting of one of several words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Member<Choice>, _ meaning: String
    ) -> Setting {
        let standard = ServerConfiguration.standard[keyPath: path].rawValue
        return Setting(name: name, standard: standard, meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.choice(setting, or: configuration[keyPath: path])
        }
    }

    /// Returns the setting of a whole number that can be left out.
    static func integer(
        _ name: String, _ path: Member<Int?>, _ bounds: ClosedRange<Int>, standard: String,
        _ meaning: String
    ) -> Setting {
        Setting(name: name, standard: standard, meaning: filled(meaning, bounds), bounds: bounds) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try reader.optionalInteger(setting, bounds)
        }
    }

    private static func filled(_ meaning: String, _ bounds: ClosedRange<Int>) -> String {
        meaning.replacing("{bounds}", with: "\(bounds.lowerBound) to \(bounds.upperBound)")
            .replacing("{most}", with: "\(bounds.upperBound)")
    }

    /// The way in which the reader reads a value.
    typealias Reading<Value> = @Sendable (SettingReader) -> (Setting) throws(ConfigurationError) -> Value

    /// Returns the setting of a value whose text is its default; nil keeps that.
    static func kept<Value>(
        _ name: String, _ path: Member<Value>, _ read: @escaping Reading<Value?>,
        _ meaning: String
    ) -> Setting {
        Setting(name: name, standard: "\(ServerConfiguration.standard[keyPath: path])", meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            if let value = try read(reader)(setting) { configuration[keyPath: path] = value }
        }
    }

    /// Returns the setting of a value whose default has words of its own.
    static func given<Value>(
        _ name: String, isSecret: Bool = false, _ path: Member<Value>, _ standard: String,
        _ read: @escaping Reading<Value>, _ meaning: String
    ) -> Setting {
        Setting(name: name, isSecret: isSecret, standard: standard, meaning: meaning) {
            setting, reader, configuration throws(ConfigurationError) in
            configuration[keyPath: path] = try read(reader)(setting)
        }
    }

    /// Returns a setting that is read together with another one.
    static func part(_ name: String, _ standard: String, _ meaning: String) -> Setting {
        Setting(name: name, standard: standard, meaning: meaning) { _, _, _ in }
    }
}

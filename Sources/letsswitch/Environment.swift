import Glibc

/// The process's environment.
enum Environment {
    static subscript(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

import Glibc
import Reactor

extension SystemError {
    var isMissingFile: Bool { code == ENOENT }
}

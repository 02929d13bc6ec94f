import CampaignCore
import Foundation
import Glibc

/// A number that a process writes down at once; it outlives a process that is killed.
final class AckFile {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CampaignFailure("A file for acknowledgments cannot be opened", path) }
    }

    deinit { close(descriptor) }

    var value: Int64 {
        get {
            var value: Int64 = 0
            return pread(descriptor, &value, 8, 0) == 8 ? value : 0
        }
        set {
            var value = newValue
            _ = pwrite(descriptor, &value, 8, 0)
        }
    }
}

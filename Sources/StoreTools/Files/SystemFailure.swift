import Foundation

/// Why the system refused something.
package struct SystemFailure: Error, CustomStringConvertible {
    package let number: Int32

    /// The failure of the call that was made last.
    package static func last() -> SystemFailure { SystemFailure(number: errno) }

    /// The system's failure that an error of Foundation represents, itself or as its cause.
    ///
    /// - Returns: Nil for an error about something else, such as a content.
    package init?(_ error: any Error) {
        let error = error as NSError
        switch (error.domain, error.code) {
        case (NSPOSIXErrorDomain, let code): self.init(number: Int32(code))
        case (NSCocoaErrorDomain, CocoaError.Code.fileWriteOutOfSpace.rawValue): self.init(number: ENOSPC)
        case (NSCocoaErrorDomain, CocoaError.Code.fileWriteVolumeReadOnly.rawValue): self.init(number: EROFS)
        case (NSCocoaErrorDomain, CocoaError.Code.fileWriteNoPermission.rawValue): self.init(number: EACCES)
        default:
            guard let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error else { return nil }
            self.init(cause)
        }
    }

    package init(number: Int32) { self.number = number }

    /// Whether the reading end of a pipe is closed.
    package var isClosedPipe: Bool { number == EPIPE }

    /// The reason, to stand behind a colon.
    package var description: String {
        switch number {
        case ENOSPC: "the disk is full"
        case EDQUOT: "there is no space left for this user on the disk"
        case EFBIG: "it became too large for the disk"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "its folder does not exist"
        case ENOTDIR: "a part of its path is a file, not a folder"
        case EISDIR: "it is a folder"
        default: String(cString: strerror(number))
        }
    }
}

package import Foundation

/// What stands at a path.
package struct FileFacts {
    package enum Kind: String {
        case file = "a file"
        case folder = "a folder"
        case pipe = "a pipe"
        case socket = "a socket"
        case device = "a device"
        case disk = "a disk"
        case link = "a link to a file that doesn't exist"
    }

    /// A file by whatever name.
    package struct Identity: Hashable {
        package var device: UInt64
        package var number: UInt64
    }

    package let kind: Kind
    package let identity: Identity
    /// Who may read and write.
    package let permissions: mode_t

    /// Looks at a path, through symbolic links.
    ///
    /// - Returns: Nil where nothing is.
    /// - Throws: `SystemFailure` when the system does not say, as in a folder that may not be searched.
    package init?(path: String) throws(SystemFailure) {
        var facts = stat()
        if stat(path, &facts) == 0 {
            kind = Self.kind(facts.st_mode)
        } else if errno == ENOENT || errno == ENOTDIR {
            guard lstat(path, &facts) == 0 else { return nil }
            kind = .link
        } else {
            throw SystemFailure.last()
        }
        permissions = facts.st_mode & 0o777
        identity = Identity(
            device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(truncatingIfNeeded: facts.st_ino))
    }

    private static func kind(_ mode: mode_t) -> Kind {
        switch mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFIFO: .pipe
        case S_IFSOCK: .socket
        case S_IFCHR: .device
        case S_IFBLK: .disk
        default: .file
        }
    }
}

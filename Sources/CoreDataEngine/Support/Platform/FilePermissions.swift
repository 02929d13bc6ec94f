import Foundation

/// Who may read and write files.
enum FilePermissions {
    /// The permissions of a file or folder, through symbolic links; nil where nothing is.
    static func of(_ url: URL) -> mode_t? {
        var facts = stat()
        guard stat(url.path, &facts) == 0 else { return nil }
        return facts.st_mode & 0o777
    }

    /// Sets them, where the system has any.
    static func set(_ mode: mode_t, of url: URL) {
        #if !os(Windows)
        chmod(url.path, mode)
        #endif
    }

    /// What a copy gets that takes the place of another file: its owner may do what he could with that, and others only what
    /// they could with both.
    static func ofCopy(_ source: mode_t?, replacing present: mode_t?) -> mode_t? {
        guard let source, let present else { return source ?? present }
        return present & 0o700 | present & source & 0o077
    }
}

package import Foundation

/// Makes the errors that the engine throws: Apple's domain and code, and a sentence that names the thing.
package enum CoreDataError {
    /// An error of `NSCocoaErrorDomain`.
    ///
    /// - Parameters:
    ///   - code: One of Core Data's or Foundation's codes.
    ///   - sentence: What went wrong, naming entity, property, object, file or key.
    ///   - path: The file that the error is about.
    ///   - underlying: The cause.
    ///   - userInfo: Further keys.
    package static func make(
        _ code: Int,
        _ sentence: String,
        path: String? = nil,
        underlying: (any Error)? = nil,
        userInfo: [String: Any] = [:]
    ) -> CocoaError {
        var info = userInfo.mapValues(ValueDescription.describable)
        info[NSLocalizedDescriptionKey] = sentence
        if let path { info[NSFilePathErrorKey] = path }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return CocoaError(CocoaError.Code(rawValue: code), userInfo: info)
    }
}

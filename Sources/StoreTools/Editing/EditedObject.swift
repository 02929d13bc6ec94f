import Foundation
package import OpenCoreData

/// An object that the command edits.
///
/// The classes of the application that wrote the store are not here. What they would put into transient properties is
/// missing, so that such properties are not checked.
package class EditedObject: NSManagedObject {
    package override func validateForInsert() throws {
        try ignoringWhatIsNotKept { try super.validateForInsert() }
    }

    package override func validateForUpdate() throws {
        try ignoringWhatIsNotKept { try super.validateForUpdate() }
    }

    /// Whether a property that failed its validation lets the object pass nevertheless.
    package func isExempt(_ property: NSPropertyDescription) -> Bool { property.isTransient }

    private func ignoringWhatIsNotKept(_ validate: () throws -> Void) throws {
        do {
            try validate()
        } catch {
            let all = Self.failures(in: error)
            let failures = all.filter { !isExempt($0) }
            if failures.count == all.count { throw error }
            if failures.count == 1 { throw failures[0] }
            if !failures.isEmpty {
                throw CocoaError(
                    CocoaError.Code(rawValue: NSValidationMultipleErrorsError),
                    userInfo: [NSDetailedErrorsKey: failures])
            }
        }
    }

    private func isExempt(_ error: any Error) -> Bool {
        guard let key = Self.userInfo(of: error)[NSValidationKeyErrorKey] as? String,
            let property = entity.propertiesByName[key]
        else { return false }
        return isExempt(property)
    }

    private static func failures(in error: any Error) -> [any Error] {
        let details = userInfo(of: error)[NSDetailedErrorsKey] as? [any Error] ?? []
        return details.isEmpty ? [error] : details.flatMap(failures)
    }

    private static func userInfo(of error: any Error) -> [String: Any] {
        (error as? CocoaError)?.userInfo ?? (error as NSError).userInfo
    }
}

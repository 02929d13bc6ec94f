import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// What errors must be: typed, with a sentence for the user.
enum Sentences {
    /// - Throws: If an error is neither Cocoa's nor the kit's, or has no description.
    static func check(_ error: any Error) throws {
        guard error is CocoaError || error is DatabaseError else {
            throw CampaignFailure("An error is no CocoaError: \(type(of: error))", "\(error)")
        }
        if (error as NSError).localizedDescription.isEmpty {
            throw CampaignFailure("An error says nothing", "\(error)")
        }
    }

    /// The same for an error that came of system calls that failed.
    ///
    /// - Parameter systemErrors: The numbers that the calls gave.
    /// - Throws: When the sentence says something else, or neither it nor the error names the file.
    static func check(_ error: any Error, systemErrors: FaultLibrary.Errors) throws {
        try check(error)
        let sentence = (error as NSError).localizedDescription
        let cocoa = error as? CocoaError ?? (error as NSError).userInfo[NSUnderlyingErrorKey] as? CocoaError
        let isNamed = sentence.contains("“") || cocoa?.userInfo[NSFilePathErrorKey] != nil
        let wrong = ["damaged", "not a store", "not an SQLite database", "neither in"].filter(sentence.contains)
        let reasons: [(FaultLibrary.Errors, String)] = [
            (.inputOutput, "input/output error"), (.noSpace, "disk is full"),
        ]
        let told = reasons.filter { systemErrors.contains($0.0) }.map(\.1)
        // SQLite opens a file a second time, for reading only, and the reason of the first time is lost.
        let isUnopened = ["a file beside it could not be opened", "does not exist", "its folder is read-only"]
            .contains(where: sentence.contains)
        let isTold =
            systemErrors.isEmpty || systemErrors.contains(.other) || isUnopened
            || told.contains { sentence.localizedCaseInsensitiveContains($0) }
        guard isTold, wrong.isEmpty, isNamed else {
            throw CampaignFailure("An error does not say what the disk reported", "\(sentence)\n\(error)")
        }
    }
}

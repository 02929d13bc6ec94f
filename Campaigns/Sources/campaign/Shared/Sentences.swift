import CampaignCore
import Foundation
import OpenCoreData
import OpenCoreDataKit

/// What errors must be: typed, with a sentence for the user.
enum Sentences {
    /// - Throws: When an error is none of Cocoa or of the kit, or says nothing.
    static func check(_ error: any Error) throws {
        guard error is CocoaError || error is DatabaseError else {
            throw CampaignFailure("An error is no CocoaError: \(type(of: error))", "\(error)")
        }
        if (error as NSError).localizedDescription.isEmpty {
            throw CampaignFailure("An error says nothing", "\(error)")
        }
    }
}

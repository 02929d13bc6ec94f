import CampaignCore
import OpenCoreData

extension NSManagedObjectContext {
    /// Checks what the context keeps of its objects and their changes.
    ///
    /// - Throws: A `CampaignFailure` that says what is wrong.
    func requireInvariants() throws {
        let broken = performAndWait { checkInvariants() }
        if !broken.isEmpty {
            throw CampaignFailure("the bookkeeping of a context is wrong", broken.joined(separator: "\n"))
        }
    }
}

/// What must not be.
package struct CampaignFailure: Error, CustomStringConvertible, Sendable {
    /// What is wrong, the same for all cases of the same kind: failures are counted by it.
    package var title: String
    /// What is wrong in this case.
    package var detail: String

    package init(_ title: String, _ detail: String = "") {
        self.title = title
        self.detail = detail
    }

    package var description: String { detail.isEmpty ? title : "\(title): \(detail)" }
}

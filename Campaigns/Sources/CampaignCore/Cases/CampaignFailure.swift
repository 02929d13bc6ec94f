/// What must not be.
public struct CampaignFailure: Error, CustomStringConvertible, Sendable {
    /// What is wrong, the same for all cases of the same kind: failures are counted by it.
    public var title: String
    /// What is wrong in this case.
    public var detail: String

    public init(_ title: String, _ detail: String = "") {
        self.title = title
        self.detail = detail
    }

    public var description: String { detail.isEmpty ? title : "\(title): \(detail)" }
}

extension NSMergePolicy {
    /// Returns a policy of a type. Contexts share the policy that most of them have.
    static func shared(_ type: NSMergePolicyType) -> NSMergePolicy {
        type == .errorMergePolicyType ? .error : NSMergePolicy(merge: type)
    }
}

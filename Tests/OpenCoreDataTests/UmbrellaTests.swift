import Foundation
import OpenCoreData
import Testing

@Suite struct UmbrellaTests {
    @Test func clashingNamesMeanTheEnginesClasses() {
        let predicate: NSPredicate? = nil
        let expression: NSExpression? = nil
        let comparison: NSComparisonPredicate? = nil
        let compound: NSCompoundPredicate? = nil
        let descriptor: NSSortDescriptor? = nil
        #expect(predicate == nil && expression == nil && comparison == nil && compound == nil && descriptor == nil)
    }
}

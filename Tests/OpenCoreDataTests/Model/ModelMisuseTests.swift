import Foundation
import OpenCoreData
import Testing

/// Changing what must not be changed is a programming error, and stops where it happens.
@Suite struct ModelMisuseTests {
    @Test func aModelInUseCannotBeChanged() async {
        await #expect(processExitsWith: .failure) {
            let model = makeCompanyModel()
            model.freeze()
            model.entities = []
        }
        await #expect(processExitsWith: .failure) {
            let model = makeCompanyModel()
            model.freeze()
            model.entitiesByName["Person"]?.attributesByName["name"]?.isOptional = false
        }
        await #expect(processExitsWith: .failure) {
            let model = makeCompanyModel()
            model.freeze()
            model.entitiesByName["department"]?.indexes.first?.name = "other"
        }
    }

    @Test func aPropertyBelongsToOneEntity() async {
        await #expect(processExitsWith: .failure) {
            let attribute = NSAttributeDescription()
            let first = NSEntityDescription()
            first.properties = [attribute]
            let second = NSEntityDescription()
            second.properties = [attribute]
        }
    }

    @Test func anEntityCannotInheritFromItself() async {
        await #expect(processExitsWith: .failure) {
            let parent = NSEntityDescription()
            let child = NSEntityDescription()
            parent.subentities = [child]
            child.subentities = [parent]
        }
    }

    @Test func inconsistentModelsAreNamed() {
        let model = makeCompanyModel()
        model.entitiesByName["Employee"]?.relationshipsByName["department"]?.destinationEntity = nil
        model.entitiesByName["department"]?.uniquenessConstraints = [["nothing"]]
        let relationship = NSRelationshipDescription()
        relationship.name = "lost"
        model.entitiesByName["Person"]?.properties += [relationship]
        let problems = model.problems()
        #expect(problems.contains { $0.contains("'Person.lost' has no destination entity") })
        #expect(problems.contains { $0.contains("'nothing'") })
        #expect(throws: CocoaError.self) { try model.validate() }
    }
}

import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What a comparison of two models finds.
@Suite struct MappingInferenceTests {
    private func infer(
        _ change: (inout [String: NSEntityDescription]) -> Void
    ) throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(
            forSourceModel: MigrationModels.make(), destinationModel: MigrationModels.make(change))
    }

    // Behaviour 10.1
    @Test func mappingsAreNamedAfterWhatTheyDo() throws {
        let mapping = try infer { entities in
            entities["Person"]?.properties.append(MigrationModels.attribute("age", .integer16AttributeType))
            entities["Club"]?.name = "Society"
            entities["Club"]?.renamingIdentifier = "Club"
            let garden = NSEntityDescription()
            garden.name = "Garden"
            entities["Garden"] = garden
            entities["Garage"] = nil
        }
        #expect(mapping.isInferred)
        let types = Dictionary(
            uniqueKeysWithValues: mapping.entityMappings.map { ($0.name ?? "", $0.mappingType) })
        #expect(
            types
                == [
                    "IEM_Transform_Person": .transformEntityMappingType,
                    "IEM_Transform_Society": .transformEntityMappingType,
                    "IEM_Add_Garden": .addEntityMappingType, "IEM_Remove_Garage": .removeEntityMappingType,
                    // Person has changed, and what leads to it with it; what an entity inherits counts as its own.
                    "IEM_Transform_Vehicle": types["IEM_Transform_Vehicle"] ?? .copyEntityMappingType,
                    "IEM_Copy_Vehicle": types["IEM_Copy_Vehicle"] ?? .transformEntityMappingType,
                    "IEM_Copy_Car": .copyEntityMappingType, "IEM_Copy_Bike": .copyEntityMappingType,
                ].filter { types[$0.key] != nil })
        let society = try #require(mapping.entityMappingsByName["IEM_Transform_Society"])
        #expect(society.sourceEntityName == "Club")
        #expect(society.sourceEntityVersionHash?.count == 32)
    }

    // Behaviour 10.1
    @Test func everyAttributeHasAMappingAndTheUserInfoListsProperties() throws {
        let mapping = try infer { entities in
            entities["Person"]?.attributesByName["height"]?.renamingIdentifier = "height"
            entities["Person"]?.attributesByName["height"]?.name = "size"
            entities["Person"]?.properties.append(MigrationModels.attribute("age", .integer16AttributeType))
            entities["Person"]?.properties.removeAll { $0.name == "photo" }
        }
        let person = try #require(mapping.entityMappingsByName["IEM_Transform_Person"])
        #expect(person.attributeMappings?.compactMap(\.name) == ["age", "name", "size"])
        #expect(person.attributeMappings?.last?.valueExpression?.description.contains("height") == true)
        #expect(person.attributeMappings?.first?.valueExpression == nil)
        #expect(person.userInfo?["addedProperties"] as? Set<String> == ["age"])
        #expect(person.userInfo?["removedProperties"] as? Set<String> == ["photo"])
        #expect(
            person.userInfo?["mappedProperties"] as? Set<String> == ["cars", "clubs", "name", "size", "wishes"])
    }

    @Test func aRenamingIdentifierFromAnEarlierVersionStillFits() throws {
        let second = MigrationModels.make {
            $0["Club"]?.name = "Society"
            $0["Club"]?.renamingIdentifier = "Club"
        }
        let third = MigrationModels.make {
            $0["Club"]?.name = "Society"
            $0["Club"]?.renamingIdentifier = "Club"
            $0["Club"]?.properties.append(MigrationModels.attribute("city", .stringAttributeType))
            let club = NSEntityDescription()
            club.name = "Club"
            $0["New"] = club
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: second, destinationModel: third)
        #expect(mapping.entityMappingsByName["IEM_Transform_Society"]?.sourceEntityName == "Society")
        #expect(mapping.entityMappingsByName["IEM_Add_Club"] != nil)
    }

    // Behaviour 10.4
    @Test func aToManyRelationshipCanNotBecomeToOne() throws {
        let changed = MigrationModels.make { entities in
            entities["Person"]?.relationshipsByName["clubs"]?.maxCount = 1
        }
        let error = #expect(throws: CocoaError.self) {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: MigrationModels.make(), destinationModel: changed)
        }
        #expect(error?.code == .inferredMappingModel)
        #expect(error?.localizedDescription.contains("Person.clubs") == true)
        #expect(
            throws: Never.self,
            performing: {
                _ = try NSMappingModel.inferredMappingModel(
                    forSourceModel: changed, destinationModel: MigrationModels.make())
            })
    }

    @Test func hierarchiesCanNotBeMerged() throws {
        let error = #expect(throws: CocoaError.self) {
            _ = try infer { entities in
                let thing = NSEntityDescription()
                thing.name = "Thing"
                thing.subentities = [entities["Club"], entities["Garage"]].compactMap(\.self)
                entities["Thing"] = thing
            }
        }
        #expect(error?.code == .inferredMappingModel)
        #expect(error?.localizedDescription.contains("Club") == true)
        #expect(error?.localizedDescription.contains("Garage") == true)
    }

    @Test func anAttributeCanNotBecomeARelationship() throws {
        let error = #expect(throws: CocoaError.self) {
            _ = try infer { entities in
                entities["Garage"]?.properties.removeAll { $0.name == "street" }
                MigrationModels.single(entities, "Garage", "street", "Club", maxCount: 1)
            }
        }
        #expect(error?.localizedDescription.contains("Garage.street") == true)
    }
}

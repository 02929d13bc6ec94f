import CoreDataCandy

extension PersonEntity: FetchableEntity {}

struct Person: DatabaseModel {
    typealias Entity = PersonEntity
    let _entityWrapper: EntityWrapper<PersonEntity>

    let name = UniqueField(\.name, validations: .notEmpty)  // String?
    let age = Field(\.age, validations: .isIn(0...150))  // Int
    let pets = Children(\.pets, as: Pet.self)

    init(entity: PersonEntity) {
        _entityWrapper = .init(entity: entity)
    }
}

func adults(in context: NSManagedObjectContext) throws -> [String] {
    let person = Person(entity: PersonEntity(context: context))
    try person.validateAndAssign("Candy", to: \.name)
    person.assign(44, to: \.age)
    person.add(Pet(entity: PetEntity(context: context)), to: \.pets)
    try person.save()

    let found = try Person.request()
        .all()
        .where(\.age >= 18).and(\.name, .hasPrefix("C"))
        .sorted(by: \.age).then(by: \.name)
        .fetch(in: context)
    return found.compactMapCurrent(\.name)
}

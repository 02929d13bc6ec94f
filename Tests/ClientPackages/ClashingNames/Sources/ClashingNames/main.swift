import CoreData
import Foundation

let predicate = NSPredicate(format: "title BEGINSWITH[c] %@ AND pages > %d", "the", 100)
var search = Search(predicate: predicate, order: [.byTitle])
let narrowed: NSCompoundPredicate = search.narrowed(by: NSPredicate(format: "inPrint == YES"))
guard narrowed.count == 2, predicate.isCompound else { fatalError("a compound predicate lost its parts") }

let comparison = NSComparisonPredicate(
    leftExpression: .path("pages"), rightExpression: NSExpression(forConstantValue: 7), modifier: .direct,
    type: .equalTo, options: [])
guard comparison.isEquality, search.parts(of: comparison).left.keyPath == "pages" else {
    fatalError("a comparison lost its parts")
}
search.comparison = comparison
Functions.check()
await Functions.wait()
let names: [Operator] = [.equalTo, .like, .between]
let filters: Filters = [predicate, narrowed]
print("\(search.byName.keys.sorted()) \(names.count) \(filters.count) \(narrowed.predicateFormat)")

extension NSFetchRequestBase: PredicateFetching {
    package func result(inContext context: Any?, countsOnly: Bool) throws -> Any? {
        guard let context = context as? NSManagedObjectContext else { return nil }
        return countsOnly ? try anyCount(in: context) : try anyResults(in: context)
    }
}

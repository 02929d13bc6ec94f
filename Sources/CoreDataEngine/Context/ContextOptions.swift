/// What the code of this package that makes a context sets of it. Applications can't.
struct ContextOptions {
    /// How many objects of an import are handled between saves; 0 for contexts that are saved by their users alone.
    var importBatchSize = 0
    /// Why the context takes no changes, for one that only reads.
    var refusal: (any Error)?
    /// Whether the code that made the context reports its saves.
    var isSilent = false
    /// Whether new objects get permanent identifiers when they are made, where a store can give them.
    var givesPermanentIDsAtOnce = false
    /// Whether objects that a fetch refreshes keep the values of transient attributes.
    var keepsTransientValues = false
    /// Whether a deletion of a row that others have deleted is a conflict, and saves wait for transactions on other machines.
    var isStrict = false
    /// Set for the contexts of a migration: objects are of no class but `NSManagedObject`, whose code is made for one
    /// of the models only, and saving does not validate, because objects are saved before they have their
    /// relationships.
    var isMigrating = false
    /// Whether firing the fault of one object gets the rows of those that were fetched with it.
    var faultsFireForCohort = true
}

extension NSManagedObjectContext {
    /// How many objects of an import are handled between saves; 0 for contexts that are saved by their users alone.
    package final var importBatchSize: Int {
        get { options.importBatchSize }
        set { options.importBatchSize = newValue }
    }

    /// Why the context takes no changes, for one that only reads.
    package final var refusal: (any Error)? {
        get { options.refusal }
        set { options.refusal = newValue }
    }

    /// Whether the code that made the context reports its saves.
    package final var isSilent: Bool {
        get { options.isSilent }
        set { options.isSilent = newValue }
    }

    /// Whether new objects get permanent identifiers when they are made, where a store can give them.
    package final var givesPermanentIDsAtOnce: Bool {
        get { options.givesPermanentIDsAtOnce }
        set { options.givesPermanentIDsAtOnce = newValue }
    }

    /// Whether objects that a fetch refreshes keep the values of transient attributes.
    package final var keepsTransientValues: Bool {
        get { options.keepsTransientValues }
        set { options.keepsTransientValues = newValue }
    }

    /// Whether a deletion of a row that others have deleted is a conflict, and saves wait for transactions on other machines.
    package final var isStrict: Bool {
        get { options.isStrict }
        set { options.isStrict = newValue }
    }

    /// Whether firing the fault of one object gets the rows of those that were fetched with it.
    package final var faultsFireForCohort: Bool {
        get { options.faultsFireForCohort }
        set { options.faultsFireForCohort = newValue }
    }
}

import OpenCoreDataKit

func enableUndo(in context: NSManagedObjectContext) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    manager.levelsOfUndo = 50
    context.undoManager = manager
}

func step(_ name: String, in context: NSManagedObjectContext, _ change: () throws -> Void) rethrows {
    context.undoManager?.beginUndoGrouping()
    defer { context.undoManager?.endUndoGrouping() }
    try change()
    context.undoManager?.setActionName(name)
}

func addWithoutUndo(_ titles: [String], to context: NSManagedObjectContext) {
    context.processPendingChanges()
    context.undoManager?.disableUndoRegistration()
    for title in titles { Book(context: context).title = title }
    context.processPendingChanges()
    context.undoManager?.enableUndoRegistration()
}

# usage: awk -v module=NAME -f accessors.awk CLASSES.swift… > Accessors.swift
# Writes a function that uses every accessor of classes that were made of a model, for Sources/ModelExercise.
function finish() {
    if (pending == "") return
    lines[class] = lines[class] "        " (writable ? "rewrite(object, \\." pending ")" : "_ = object." pending) "\n"
    counts[class] += writable ? 2 : 1
    pending = ""
}
/^extension [A-Za-z_0-9]+ \{/ {
    class = $2
    if (!(class in lines)) { lines[class] = ""; order[++classes] = class }
}
/^\/\/ MARK: Accessors of / { relationship = $5 }
/^    @nonobjc .*func fetchRequest\(\)/ { requests[class] = 1 }
/^    ((public|package|internal) )?var / {
    finish()
    match($0, /var `?[A-Za-z_0-9]+`?:/)
    pending = substr($0, RSTART + 4, RLENGTH - 5)
    writable = 0
}
/^        set \{/ { writable = 1 }
/^    }/ { finish() }
# The single forms: the others take collections of the same members.
/^    ((public|package|internal) )?func (addTo|removeFrom)[^(]*\(_ value: [A-Za-z_0-9]+\)/ {
    match($0, /func [A-Za-z_0-9]+/)
    name = substr($0, RSTART + 5, RLENGTH - 5)
    match($0, /value: [A-Za-z_0-9]+/)
    type = substr($0, RSTART + 7, RLENGTH - 7)
    if (name ~ /^addTo/) {
        capital = substr(name, 6)
        lines[class] = lines[class] "        if let value = member(object, \"" relationship "\", " type ".self) {\n" \
            "            object.removeFrom" capital "(value)\n            object.addTo" capital "(value)\n" \
            "            used += 2\n        }\n"
    }
}
END {
    print "import Foundation\nimport OpenCoreData\npublic import ModelExercise\n"
    print "public func generatedClasses() -> GeneratedClasses {"
    print "    GeneratedClasses(module: \"" module "\", bundle: Bundle.module, touch: touch, count: count)\n}\n"
    print "private func touch(_ object: NSManagedObject) -> Int {\n    var used = 0"
    for (i = 1; i <= classes; i++) if (lines[order[i]] != "") {
        print "    if let object = object as? " order[i] " {"
        printf "%s", lines[order[i]]
        print "        used += " counts[order[i]] + 0 "\n    }"
    }
    print "    return used\n}\n"
    print "private func count(_ context: NSManagedObjectContext) throws -> [String: Int] {\n    var counts: [String: Int] = [:]"
    for (i = 1; i <= classes; i++) if (order[i] in requests) {
        print "    do {\n        let request: NSFetchRequest<" order[i] "> = " order[i] ".fetchRequest()"
        print "        counts[request.entityName ?? \"\"] = try context.fetch(request).count\n    }"
    }
    print "    return counts\n}"
}

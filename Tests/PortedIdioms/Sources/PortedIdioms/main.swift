import Foundation
import Idioms

#if SWIFT_5_MODE
import Swift5Idioms
let idioms = sharedIdioms + swift5Idioms
#else
let idioms = sharedIdioms
#endif

// What each idiom gives, in its own store; the last line says how many hold.
var failures = 0
for idiom in idioms {
    do {
        try await idiom.run()
    } catch {
        failures += 1
        print("idiom fails: \(idiom.name): \(error)")
    }
}
print("idioms: \(idioms.count - failures) of \(idioms.count) hold")
exit(failures == 0 ? 0 : 1)

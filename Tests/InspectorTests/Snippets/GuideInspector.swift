#if Inspector
import Hummingbird
import Logging
import OpenCoreDataInspector
import OpenCoreDataKit

func addInspector(of database: Database, to router: Router<BasicRequestContext>, logger: Logger) {
    let inspector = InspectorRoutes(database)
    inspector.addRoutes(to: router, atPath: "inspector")
    logger.info("The inspector is at /inspector/?token=\(inspector.access.token?.string ?? "")")
}
#endif

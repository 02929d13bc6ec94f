#if Server
    @testable import OpenCoreDataServer
#endif

import OpenCoreDataKit
import Testing

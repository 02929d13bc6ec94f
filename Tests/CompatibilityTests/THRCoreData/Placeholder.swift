import THRCoreData
import Testing

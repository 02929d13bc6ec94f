import CoreDataMonk
import Testing

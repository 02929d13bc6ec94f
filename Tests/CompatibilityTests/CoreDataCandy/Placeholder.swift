import CoreDataCandy
import Testing

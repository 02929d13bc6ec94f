import Sticky
import Testing

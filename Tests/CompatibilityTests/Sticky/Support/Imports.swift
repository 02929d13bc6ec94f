import Sticky

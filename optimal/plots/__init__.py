"""Pictures of trees and results, as matplotlib figures: the extra `plot`."""

"""Pictures of trees and results, as matplotlib figures: the extra `optimal-guess[plot]`."""

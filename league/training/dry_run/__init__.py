"""`arena train --dry-run`: what a training needs, found without playing a match."""

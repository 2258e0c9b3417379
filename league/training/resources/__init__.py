"""What a training takes of every GPU, computed from shapes before anything is loaded."""

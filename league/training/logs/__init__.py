"""Where the metrics of a training are written."""

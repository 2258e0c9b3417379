"""The games of OpenSpiel as text games."""

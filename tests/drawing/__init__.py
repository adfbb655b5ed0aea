"""The symmetries of the square grid."""

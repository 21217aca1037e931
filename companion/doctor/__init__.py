"""What can be wrong with a machine and its camera: small checks, each of which says what it found."""

"""Bau Boom, the container alone."""

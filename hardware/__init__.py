"""The edge to the world: camera and panel, each beside its stand-in. Knows nothing of the companion."""

"""The edge to the world: camera, panel, service, broker. Knows nothing of the companion."""

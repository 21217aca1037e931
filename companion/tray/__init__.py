"""The tray before the camera: where it lies in the picture, its light, and whether it has moved since."""

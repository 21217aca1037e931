"""Bau Boom: barrows collect tiles along the trail, and hills are built with them."""

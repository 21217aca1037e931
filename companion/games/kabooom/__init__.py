"""Kabooom!: towers, hit by rock, paper, scissors and dynamite."""

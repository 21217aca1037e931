"""The recipe of the learned eye: rendered dice, tables, a small network; `python -m companion.eye.train`."""

"""Make 'n' Break, the dice edition. So far: its automatic stopper."""

"""Make 'n' Break, the dice edition: tasks to build against the stopper, and the stopper alone."""

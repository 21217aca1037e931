"""BIG BOOM! BANG: dice, hearts, and fourteen tiles of which one goes BOOM."""

"""Times the promises that the program makes, each against a yardstick of the same run."""

"""Forms over the place that they belong to: they ask, and give back what was said."""

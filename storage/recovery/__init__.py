"""How each dialect is recovered: pure folds, events in, `Restored` out."""

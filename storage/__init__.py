"""What is known: readers, index, watcher and folds. Usable as a library; knows no Textual."""

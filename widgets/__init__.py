"""What is drawn. Knows events and sessions as plain data; knows no file and no SQL."""

"""One module for each way of reading code: which processes, files and deletions its calls ask for."""

"""Files of texts as memories: JSON lines, CSV, and Markdown with front matter."""

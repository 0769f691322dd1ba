"""What a job script starts: launchers with their own options, processes on nodes, and how they meet."""

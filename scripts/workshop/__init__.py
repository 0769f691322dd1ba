"""Library and command line of the HPC Cluster Workshop."""

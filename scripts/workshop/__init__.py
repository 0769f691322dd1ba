"""Library and command line of the HPC Cluster Workshop."""

__version__ = "0.1.0"

"""The practice cluster: real Slurm on one machine, for one user, without root."""

from workshop.cluster.cluster import Cluster, Status
from workshop.cluster.errors import ClusterError

__all__ = ["Cluster", "ClusterError", "Status"]

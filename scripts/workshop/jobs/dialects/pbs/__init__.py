"""PBS: PBS Pro, OpenPBS and Torque."""

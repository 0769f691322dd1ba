# Jupyter runs in a job on compute node c3 and says: http://c3:9417/lab
# With the tunnel, http://localhost:8888/lab in the laptop's browser should show it.
ssh -N -L 8888:c3:9417 cluster

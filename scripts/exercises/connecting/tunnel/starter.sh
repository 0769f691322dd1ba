# Jupyter runs in a job on compute node c3 and says: http://c3:9417/lab
# With the tunnel, http://localhost:8888/lab in the laptop's browser should show it.
ssh -N -L 9417:localhost:8888 cluster

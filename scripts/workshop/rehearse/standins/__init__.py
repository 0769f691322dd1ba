"""Programs that play srun, pbsdsh, blaunch … inside a rehearsed job. Started as files, not imported as a package."""

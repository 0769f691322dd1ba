# recorded 2026-11-29 with Apptainer 1.4.5
Needs: apptainer.
What an image says about itself.

  $ apptainer inspect hello.sif | grep opencontainers
  org.opencontainers.image.description: Debian bookworm, minimal, from packages
  org.opencontainers.image.title: hello
  org.opencontainers.image.version: 1.0
  $ apptainer run-help hello.sif
      Says in which system it runs. Usage: apptainer run hello.sif [NAME]
  $ apptainer inspect --runscript hello.sif
  #!/bin/sh
  
      . /etc/os-release
      echo "$GREETING ${1:-world} from $PRETTY_NAME on $(hostname)"
  $ apptainer test hello.sif && echo passed
  passed

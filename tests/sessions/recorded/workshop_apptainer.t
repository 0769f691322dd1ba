# recorded 2026-11-30 with Apptainer 1.4.5
Needs: apptainer.
An image of the course, built where it is missing, and used.

  $ apptainer run "$(workshop apptainer image hello 2> /dev/null)" Ada
  Hello Ada from Debian GNU/Linux 12 (bookworm) on login

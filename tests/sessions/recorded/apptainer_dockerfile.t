# recorded 2026-11-28 with Apptainer 1.4.5
A Dockerfile and the definition file that does the same.
Needs: apptainer.

  $ . "$REPO/tests/sessions/waits.bash"
  $ ln -s "$(workshop apptainer image base 2> /dev/null)" base.sif
  $ cat > Dockerfile << 'END'
  > FROM debian:12.11-slim
  > ENV STEPS=100
  > RUN mkdir -p /opt/app
  > COPY train.sh /opt/app/
  > WORKDIR /opt/app
  > ENTRYPOINT ["bash", "train.sh"]
  > END
  $ cat > app.def << 'END'
  > Bootstrap: localimage
  > From: base.sif
  > 
  > %files
  >     train.sh /opt/app/train.sh
  > 
  > %environment
  >     export STEPS=100
  > 
  > %post
  >     chmod -R a+rX /opt/app
  > 
  > %runscript
  >     exec bash /opt/app/train.sh "$@"
  > END
  $ echo 'echo "$STEPS steps with $1, in $PWD"' > train.sh
  $ cd . && apptainer() { case "$1" in build) quick_build "$@" > log 2>&1 || cat log;; *) command apptainer "$@";; esac; }
#show
  $ cat Dockerfile
  FROM debian:12.11-slim
  ENV STEPS=100
  RUN mkdir -p /opt/app
  COPY train.sh /opt/app/
  WORKDIR /opt/app
  ENTRYPOINT ["bash", "train.sh"]
  $ cat app.def
  Bootstrap: localimage
  From: base.sif
  
  %files
      train.sh /opt/app/train.sh
  
  %environment
      export STEPS=100
  
  %post
      chmod -R a+rX /opt/app
  
  %runscript
      exec bash /opt/app/train.sh "$@"
  $ apptainer build app.sif app.def
  $ apptainer run app.sif lr=0.1
  100 steps with lr=0.1, in ~

#!/bin/bash
# Runs in a folder that holds your project/ and the cluster/ (on a real one: CLUSTER:project instead of cluster/project).
rsync --archive --delete project cluster/project

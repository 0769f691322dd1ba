#!/bin/bash
# @ job_name = train
# @ class = parallel
# @ node = 2
# @ tasks_per_node = 16
# @ wall_clock_limit = 01:00:00
# @ output = $(job_name).$(jobid).out
# @ queue

poe ./simulate

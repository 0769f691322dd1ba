# What console sessions wait with. A session loads it in its hidden head: . "$REPO/tests/sessions/waits.bash"
#
# A person looks when there is something to see; a script is faster. So a session wraps a command that it shows:
#     squeue() { wait_running 1 --me; command squeue "$@"; }
# Each function waits for an event. One that does not come within $patience seconds ends the session with a message
# that says what was waited for. No session sleeps for a number of seconds and hopes.
patience=180  # a machine with one busy core must keep it; pytest's limit for a test is longer

# clone_here: a folder that looks like a clone of the repository, and go there. What jobs write stays in it.
clone_here() { mkdir hpc-cluster-workshop && cd hpc-cluster-workshop && ln -s "$REPO/scripts" "$REPO/.venv" .; }

# wait_until WHAT COMMAND [ARGUMENT...]: until the command succeeds.
wait_until() {
    local what=$1 end=$((SECONDS + patience))
    shift
    until "$@"; do
        ((SECONDS < end)) || give_up "$what"
        /bin/sleep 0.1  # a session may have a program sleep of its own
    done
}

# give_up WHAT: say what did not come, and end the session, also from a pipe or from $(...). Where a person types, the
# command ends, and the shell stays.
give_up() {
    echo "waits.bash: $patience s have passed without: $1" >&2
    [[ -z ${SLURM_CONF:-} ]] || command squeue --format="%i %j %T %R" >&2
    if [[ $- == *i* && $BASHPID == "$$" ]]; then
        command kill -INT "$$"
        return 1
    fi
    command kill -TERM "$$"
    exit 1
}

# in_queue [SELECTION...]: the jobs that squeue's options select, an id and a state a line. It fails where Slurm does
# not answer: no answer is not an empty queue.
in_queue() { command squeue --noheader --format="%i %T" "$@" 2> /dev/null; }

jobs_left() {
    local left
    left=$(in_queue "$@") && [[ -z $left ]]
}

jobs_run() {
    local count=$1 left
    shift
    left=$(in_queue --states=RUNNING "$@") && [[ $(command grep --count . <<< "$left") -eq $count ]]
}

# wait_ended [SELECTION...]: until none of these jobs is in the queue: wait_ended --jobs="$job", --name=x, --me.
wait_ended() { wait_until "the end of the jobs $*" jobs_left "$@"; }

# wait_running COUNT [SELECTION...]: until so many of these jobs run.
wait_running() { wait_until "$1 running jobs of ${*:2}" jobs_run "$@"; }

# wait_squeue PATTERN FORMAT [SELECTION...]: until squeue's lines in that format, sorted, joined by commas, fit the
# extended regular expression from beginning to end.
wait_squeue() { wait_until "a queue of $1 (${*:2})" queue_fits "$@"; }
queue_fits() {
    local lines
    lines=$(command squeue --noheader --format="$2" "${@:3}" 2> /dev/null) || return
    [[ $(sort <<< "$lines" | paste --serial --delimiters=,) =~ ^($1)$ ]]
}

# wait_job JOB WORD: until `scontrol show job` has this word (JobState=FAILED).
wait_job() { wait_until "$2 of job $1" job_has "$@"; }
job_has() { command scontrol show job "$1" 2> /dev/null | command grep --quiet --word-regexp "$2"; }

# wait_idle NODE...: until no job is left on these nodes.
wait_idle() {
    local node
    for node in "$@"; do wait_until "idle node $node" node_idle "$node"; done
}
node_idle() { command scontrol show node "$1" | command grep --quiet "State=IDLE "; }

# wait_lines COUNT PATTERN FILE...: until at least so many lines of the files fit the extended regular expression.
# The files may still be missing, and a pattern of names in quotes may stand for them: "runs/*/metrics.jsonl".
wait_lines() { wait_until "$1 lines '$2' in ${*:3}" has_lines "$@"; }
has_lines() {
    local found names=${*:3}
    # shellcheck disable=SC2086  # they may be patterns
    found=$(command cat $names 2> /dev/null | command grep --count --extended-regexp -- "$2")
    [[ ${found:-0} -ge $1 ]]
}

# wait_file FILE...: until all of them exist.
wait_file() { wait_until "the files $*" all_exist "$@"; }
all_exist() {
    local file
    for file in "$@"; do [[ -e $file ]] || return; done
}

# wait_gone PID: until this process has ended.
wait_gone() { wait_until "the end of process $1" process_gone "$1"; }
process_gone() { ! command kill -0 "$1" 2> /dev/null; }

# wait_shell PID SIGNAL: until this shell has a trap for the signal and waits for a program that it started.
wait_shell() { wait_until "shell $1 waits, with a trap for $2" shell_waits "$1" "$(command kill -l "$2")"; }
shell_waits() { has_handler "$@" && pgrep --parent "$1" > /dev/null && [[ $(ps --no-headers -o stat -p "$1") == S* ]]; }
# SigCgt of proc(5) has the bits of the signals that a process handles.
has_handler() {
    local caught
    caught=$(sed --quiet 's/^SigCgt:\s*//p' "/proc/$1/status") && ((16#$caught >> ($2 - 1) & 1))
}

# wait_stopped COUNT PATTERN: until so many processes have such a command line, and none of them computes any more.
wait_stopped() { wait_until "$1 processes $2 that wait" all_wait "$@"; }
all_wait() {
    local before after
    before=$(cpu_time "$2") && /bin/sleep 0.2 && after=$(cpu_time "$2") || return
    [[ $(wc --words <<< "$before") -eq $1 && $before == "$after" ]]
}
# cpu_time PATTERN: the clock ticks that each of these processes has computed (proc(5), utime and stime), and its number.
cpu_time() {
    local pid
    for pid in $(pgrep --full -- "$1"); do
        [[ $pid == "$$" ]] || awk '{ print $1 ":" $14 + $15 }' "/proc/$pid/stat" || return
    done
}

# free_port: a free TCP port from 30000 to 30999: ports from job ids lie below, those of practice clusters above. Two
# sessions at once begin to look at different places.
free_port() {
    local port=$((30000 + $$ % 1000))
    while (exec 3<> "/dev/tcp/localhost/$port") 2> /dev/null; do port=$((30000 + (port + 1) % 1000)); done
    echo "$port"
}

# hold_training FILE: trainings started from here wait, in the third epoch of their first run, until FILE exists. So a
# signal meets a training that runs, however slow the machine is between two commands.
hold_training() { export PYTHONPATH="$REPO/tests/python_start" DISK_WAITS_FOR="$1"; }

# quick_build WORDS...: apptainer, where a build compresses little: the image is some megabytes larger, and no page
# shows its size. (Faster than gzip is zstd, but then Apptainer prints a warning.)
quick_build() {
    [[ $1 != build ]] || set -- build --mksquashfs-args="-comp gzip -Xcompression-level 1" "${@:2}"
    command apptainer "$@"
}

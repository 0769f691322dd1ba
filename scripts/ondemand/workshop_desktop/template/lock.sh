# The job sources this first. What belongs to this session alone lies in a
# folder that only its user may enter. The session's end, also by Delete or at
# the end of the walltime, takes it away, with the VNC server and the password.
VNC_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/desktop.XXXXXXXX") || exit 1
export VNC_FOLDER
export XAUTHORITY="$VNC_FOLDER/Xauthority"
export PATH="$PWD/bin:$PATH"

lock_up() {
    local file
    for file in "$VNC_FOLDER"/{websocket,vncserver}; do
        [[ -s $file ]] || continue
        kill "$(< "$file")" 2> /dev/null
        timeout 5 tail -f -s 0.1 --pid="$(< "$file")" /dev/null
    done
    rm -rf "$VNC_FOLDER" vnc.passwd connection.yml
}
trap lock_up EXIT
trap 'exit 143' TERM INT HUP

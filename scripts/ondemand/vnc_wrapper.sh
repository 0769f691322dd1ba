# What OnDemand's template "vnc" puts around an app's script, shortened (see portal.py, which sets folder, websockify_cmd,
# vnc_args and vnc_clean in front of it). Left out: a second try if the VNC server does not start, and a
# new password after each connection, for which the template reads TurboVNC's log.
cd "$folder" || exit 1
export host port
find_port() {
    local port
    while port=$((10000 + RANDOM % 10000)); (: < "/dev/tcp/localhost/$port") 2> /dev/null; do :; done
    echo "$port"
}
create_passwd() { tr -cd '[:alnum:]' < /dev/urandom 2> /dev/null | head -c "${1:-8}"; }
create_yml() {
    echo "Generating connection YAML file..."
    (
        umask 077
        printf '%s: %s\n' host "$host" port "$port" password "$password" display "$display" \
            websocket "$websocket" spassword "$spassword" > connection.yml
    )
}
start_websockify() {
    $websockify_cmd "$1" --heartbeat=30 "$2" &> websockify.log &
    local ws_pid=$!
    until grep -q -i "proxying from .*:$1" websockify.log; do
        kill -0 $ws_pid || return 1
        sleep 0.2
    done
    echo $ws_pid
}
clean_up() {
    echo "Cleaning up..."
    $vnc_clean
    [[ -n ${display:-} ]] && vncserver -kill ":$display"
    [[ ${SCRIPT_PID:-} ]] && pkill -P "$SCRIPT_PID"
    pkill -P $$
    exit "${1:-0}"
}

echo "Setting VNC password..."
password=$(create_passwd)
spassword=$(create_passwd)
(
    umask 077
    printf '%s\n%s' "$password" "$spassword" | vncpasswd -f > vnc.passwd
)
echo "Starting VNC server..."
$vnc_clean
# shellcheck disable=SC2086  # options, to be split
VNC_OUT=$(vncserver -log vnc.log -rfbauth vnc.passwd -noxstartup $vnc_args 2>&1)
VNC_PID=$(pgrep -s 0 Xvnc)
echo "$VNC_OUT"
kill -0 "$VNC_PID" || clean_up 1
display=$(echo "$VNC_OUT" | awk -F: '/^Desktop/{print $NF}')
port=$((5900 + display))

echo "Script starting..."
DISPLAY=:$display ./script.sh &
SCRIPT_PID=$!

echo "Starting websocket server..."
websocket=$(find_port)
ws_pid=$(start_websockify "$websocket" "localhost:$port") || clean_up 1
echo "[websockify]: pid: $ws_pid"
create_yml
wait "$SCRIPT_PID" || clean_up 1
clean_up

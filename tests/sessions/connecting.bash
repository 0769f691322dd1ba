# What the sessions of the chapter on connecting share; they source it on the practice laptop.
export TERM=dumb  # no colors and no escape codes
umask 022
# Without a terminal: it must not read the rest of the session, and ends its own lines with a carriage return.
ssh() { command ssh "$@" < /dev/null 2>&1 | sed -u 's|\r||'; return "${PIPESTATUS[0]}"; }
typed() { python3 "$REPO/tests/sessions/typed.py" "$@"; }
on_login1() { command ssh -n -F /dev/null -i "$PRACTICE_SSH/own" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR ada@login.cluster.example "$@"; }
mkdir -p -m 700 ~/.ssh "$PRACTICE_SSH/cluster/.ssh"
echo "PS1='[\u@\h \W]\\$ '" > "$PRACTICE_SSH/cluster/.bash_profile"
# A key for hidden steps, which no session shows.
ssh-keygen -q -t ed25519 -N "" -C hidden -f "$PRACTICE_SSH/own"
cp "$PRACTICE_SSH/own.pub" "$PRACTICE_SSH/cluster/.ssh/authorized_keys"

# The state after the chapter's first sections: a key that the cluster accepts, known hosts, and `cluster` as a name.
set_up() {
    ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519
    cat ~/.ssh/id_ed25519.pub >> "$PRACTICE_SSH/cluster/.ssh/authorized_keys"
    for machine in login.cluster.example:login1 c1:c1; do
        read -r kind key _ < "$PRACTICE_SSH/hostkey-${machine#*:}.pub"
        echo "${machine%:*} $kind $key" >> ~/.ssh/known_hosts
    done
    printf '%s\n' "Host cluster" "    HostName login.cluster.example" "    User ada" > ~/.ssh/config
}

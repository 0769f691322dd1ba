# ~/.bashrc on the cluster

# For every shell: settings only, nothing printed.
export PATH="$HOME/bin:$PATH"

# From here on for shells with a person in front of them.
[[ $- == *i* ]] || return
echo "Welcome back, $USER"
alias q='squeue --me'
cd ~/project
stty -ixon

# ~/.bashrc on the cluster
echo "Welcome back, $USER"
export PATH="$HOME/bin:$PATH"
alias q='squeue --me'
cd ~/project
stty -ixon

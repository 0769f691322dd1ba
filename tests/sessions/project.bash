# What the sessions of the chapter on a whole project share: the project, made from the course's own files.
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# make_project FOLDER: a repository with one commit.
make_project() {
    mkdir --parents "$1/scripts/slurm"
    cp --recursive "$REPO/scripts/train" "$1/scripts"
    rm --recursive --force "$1/scripts/train/__pycache__"
    cp "$REPO"/scripts/slurm/project_*.sbatch "$1/scripts/slurm"
    grep -E "^(torch|scikit-learn|pillow|tensorboard|tqdm)\b" "$REPO/.requirements.in" > "$1/requirements.txt"
    printf '%s\n' .venv /data /logs /runs /snapshots __pycache__ > "$1/.gitignore"
    git -C "$1" init --quiet --initial-branch=main
    git -C "$1" add .
    git -C "$1" commit --quiet --message="A classifier of digits"
}

# Practice machines: the git server's host key is known on the cluster, and the server has the project.
serve_project() {
    read -r kind key _ < "$PRACTICE_SSH/hostkey-git.pub"
    echo "git.example.org $kind $key" >> "$PRACTICE_SSH/cluster/.ssh/known_hosts"
    make_project "$PRACTICE_SSH/project"
    git clone --quiet --bare "$PRACTICE_SSH/project" "$PRACTICE_SSH/git/digits.git"
}

"""What ssh itself makes of the learner's configuration: ``ssh -G`` prints it and connects to nobody."""

import shutil
import subprocess
from pathlib import Path

LOGIN = "login.cluster.example"
KEY = ".ssh/cluster_key"


def check(path: Path) -> list[str]:
    """What is still wrong with the configuration file ``path``: one sentence each, empty if nothing."""
    if shutil.which("ssh") is None:
        return ["There is no ssh on this machine to judge the file: install openssh-client."]
    hosts = {}
    for host in ("cluster", "c1", "c7", "github.com"):
        done = subprocess.run(["ssh", "-G", "-F", str(path), host], capture_output=True, text=True, timeout=20)
        if done.returncode:
            return [f"ssh cannot read the file: {done.stderr.strip().splitlines()[-1]}"]
        hosts[host] = _options(done.stdout)
    if hosts["cluster"]["hostname"] != [LOGIN]:
        return [f"'ssh cluster' goes to {hosts['cluster']['hostname'][0]}, not to {LOGIN}: see HostName."]
    # One host after the other: the same mistake must not be told three times.
    for host in ("cluster", "c1", "c7"):
        problems = _who(host, hosts[host]) + ([] if host == "cluster" else _way(host, hosts[host]))
        if problems:
            return problems
    if hosts["github.com"]["user"] == ["ada"] or _keys(hosts["github.com"]) == [KEY]:
        return ["The user or the key of the cluster holds for every host: put them below the cluster's names."]
    silent = [host for host, options in hosts.items() if options["serveraliveinterval"] != ["60"]]
    if silent:
        return [f"ServerAliveInterval 60 must hold for all hosts; it is missing for {', '.join(silent)}."]
    return []


def _who(host: str, options: dict[str, list[str]]) -> list[str]:
    """Problems with the user, the key and the agent for one host."""
    problems = []
    if options["user"] != ["ada"]:
        problems.append(
            f"'ssh {host}' logs in as {options['user'][0]}, not as ada: give the user, and remember that for each "
            "option the first value that ssh reads counts, so that what holds for all hosts must stand last."
        )
    if _keys(options) != [KEY]:
        problems.append(
            f"'ssh {host}' tries the keys {', '.join(options['identityfile'][:2])} …; it should try ~/{KEY} alone: "
            "the private key, the file without .pub."
        )
    if options["identitiesonly"] != ["yes"]:
        problems.append(
            f"'ssh {host}' offers every key of the agent as well: IdentitiesOnly yes keeps to the one named."
        )
    if options["forwardagent"] != ["no"]:
        problems.append(f"'ssh {host}' forwards your agent: whoever is root there could use your keys meanwhile.")
    return problems


def _way(host: str, options: dict[str, list[str]]) -> list[str]:
    """Problems with the way to a compute node."""
    jump = options.get("proxyjump", ["no jump"])[0]
    if jump in ("cluster", f"ada@{LOGIN}", "ada@cluster"):
        return []
    if jump == LOGIN:
        return [
            f"'ssh {host}' jumps over {LOGIN}, for which no block of the file gives user and key: jump over cluster."
        ]
    return [f"'ssh {host}' takes '{jump}': compute nodes (c1 to c9) are reached by ProxyJump over cluster."]


def _keys(options: dict[str, list[str]]) -> list[str]:
    """The keys that would be tried, below the home folder."""
    home = f"{Path.home()}/"
    return [name.removeprefix("~/").removeprefix("%d/").removeprefix(home) for name in options["identityfile"]]


def _options(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        found.setdefault(name, []).append(value.strip())
    return found

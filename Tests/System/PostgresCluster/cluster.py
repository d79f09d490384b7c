#!/usr/bin/env python3
"""Simulated machines with PostgreSQL, for tests: `unshare --net cluster.py patroni|shards FOLDER`.

A machine is a network namespace and a process namespace. A virtual Ethernet cable connects it to the bridge 10.77.0.254 in
the namespace in which this script was started. No other network is reachable.

`patroni` starts three machines, each with etcd, Patroni and PostgreSQL. `shards` starts three machines with PostgreSQL only:
a proxy and its two shards. When all machines are ready, the script prints `ready` and reads commands from standard input.
Each command is answered by one line:

  kill NAME      power failure: kills all processes of a machine at once
  start NAME     starts the machine again
  cut NAME       disconnects the machine's cable
  heal NAME      connects the cable again
  leader         prints the machine that accepts writes, or `none`
  healthy        prints the number of machines that are leader or streaming replicas
  reinit NAME    lets Patroni create a replica again from a copy

At the end of the input, all processes end with the namespaces, and the folder is removed.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request

KIND, FOLDER = sys.argv[1], sys.argv[2]
MACHINES = {"patroni": ["n1", "n2", "n3"], "shards": ["proxy", "s0", "s1"]}[KIND]
ADDRESS = {name: f"10.77.0.{number}" for number, name in enumerate(MACHINES, 1)}
PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
# PostgreSQL refuses to run as root.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
# In memory: etcd waits until each write is on disk, which would slow down the tests.
ETCD = "/run/etcd"


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


class Machine:
    """A simulated machine."""

    def __init__(self, name):
        self.name, self.address, self.process = name, ADDRESS[name], None
        self.folder = os.path.join(FOLDER, name)
        os.makedirs(self.folder)
        run("chown", "postgres", self.folder)
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        run("ip", "-n", name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", name, "link", "set", "eth0", "up")
        run("ip", "-n", name, "link", "set", "lo", "up")

    def start(self):
        """Starts the first process of the machine, which starts the programs. They end with it."""
        programs = " ".join(f"{' '.join(AS_POSTGRES)} {command} >>{self.folder}/{log}.log 2>&1 &" for log, command in self.programs())
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
             "sh", "-c", f"cd /; {programs} wait"], stdin=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def cable(self, state):
        run("ip", "link", "set", f"to-{self.name}", state)


class PatroniMachine(Machine):
    """A machine with etcd, Patroni and PostgreSQL."""

    def programs(self):
        data = f"{ETCD}/{self.name}"
        os.makedirs(data, exist_ok=True)
        run("chown", "-R", "postgres", ETCD)
        run("chmod", "700", data)
        everyone = ",".join(f"{name}=http://{address}:2380" for name, address in ADDRESS.items())
        configuration = os.path.join(self.folder, "patroni.yml")
        with open(configuration, "w", encoding="utf-8") as file:
            json.dump(self.configuration(), file, indent=2)
        return [
            ("etcd", f"etcd --name {self.name} --data-dir {data} --listen-peer-urls http://{self.address}:2380 "
             f"--initial-advertise-peer-urls http://{self.address}:2380 --listen-client-urls http://{self.address}:2379 "
             f"--advertise-client-urls http://{self.address}:2379 --initial-cluster {everyone} --enable-v2"),
            ("patroni", f"patroni {configuration}")]

    def configuration(self):
        """Returns the configuration of Documentation/hub-cluster.md, except that all machines trust each other."""
        return {
            "scope": "waymark", "name": self.name,
            "restapi": {"listen": f"{self.address}:8008", "connect_address": f"{self.address}:8008"},
            # Version 2 of the API of etcd. With version 3 and Patroni before 3.0.3, an isolated leader that is connected again
            # takes the lock from its successor, and transactions acknowledged by the successor are lost.
            # Source: https://github.com/patroni/patroni/pull/2689.
            "etcd": {"hosts": [f"{address}:2379" for address in ADDRESS.values()]},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 5, "retry_timeout": 5, "maximum_lag_on_failover": 1_048_576,
                    "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"max_connections": 100, "shared_buffers": "128MB", "max_wal_size": "1GB",
                                       "wal_keep_size": "512MB"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                "pg_hba": ["local all all trust", "host all all 10.77.0.0/24 trust",
                           "host replication all 10.77.0.0/24 trust"]},
            "postgresql": {
                "listen": f"{self.address}:5432", "connect_address": f"{self.address}:5432",
                "data_dir": f"{self.folder}/data", "bin_dir": PROGRAMS, "pgpass": f"{self.folder}/pgpass",
                # A replica whose timeline differs from the leader's is rewound, or created again from a copy.
                "remove_data_directory_on_rewind_failure": True, "remove_data_directory_on_diverged_timelines": True,
                # Creating a replica requests an immediate checkpoint instead of waiting for the next one.
                "basebackup": [{"checkpoint": "fast"}],
                "parameters": {"unix_socket_directories": self.folder},
                "authentication": {"superuser": {"username": "waymark"}, "replication": {"username": "replicator"},
                                   "rewind": {"username": "waymark"}}}}


class PostgresMachine(Machine):
    """A machine with PostgreSQL only."""

    def programs(self):
        data = os.path.join(self.folder, "data")
        if not os.path.exists(data):
            run(*AS_POSTGRES, f"{PROGRAMS}/initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-U", "waymark")
            with open(os.path.join(data, "pg_hba.conf"), "a", encoding="utf-8") as file:
                file.write("host all all 10.77.0.0/24 trust\n")
            with open(os.path.join(data, "postgresql.conf"), "a", encoding="utf-8") as file:
                file.write(f"listen_addresses = '{self.address}'\nunix_socket_directories = '{self.folder}'\n"
                           "max_wal_size = 1GB\n")
        # After a power failure, the file names a process whose ID may belong to another process now.
        if os.path.exists(os.path.join(data, "postmaster.pid")):
            os.remove(os.path.join(data, "postmaster.pid"))
        return [("postgres", f"{PROGRAMS}/postgres -D {data}")]


def leader():
    """Returns the machine whose own Patroni reports that it is the leader. Reports of other machines may be outdated."""
    for name, address in ADDRESS.items():
        try:
            with urllib.request.urlopen(f"http://{address}:8008/primary", timeout=2):
                return name
        except OSError:
            pass
    return "none"


def healthy():
    if KIND == "shards":
        return sum(subprocess.run([f"{PROGRAMS}/pg_isready", "-q", "-h", address], check=False).returncode == 0
                   for address in ADDRESS.values())
    name = leader()
    if name == "none":
        return 0
    followers = subprocess.run(
        [f"{PROGRAMS}/psql", "-X", "-A", "-t", "-h", ADDRESS[name], "-U", "waymark", "postgres", "-c",
         "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name LIKE 'n_'"],
        check=False, capture_output=True, text=True)
    return 1 + int(followers.stdout) if followers.returncode == 0 else 0


def reinit(name):
    """Lets Patroni create a replica again from a copy, like `patronictl reinit`."""
    request = urllib.request.Request(f"http://{ADDRESS[name]}:8008/reinitialize", data=b'{"force": true}', method="POST")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode().split("\n")[0]


def obey(machines, words):
    match words:
        case ["kill", name]: machines[name].kill()
        case ["start", name]: machines[name].start()
        case ["cut", name]: machines[name].cable("down")
        case ["heal", name]: machines[name].cable("up")
        case ["leader"]: return leader()
        case ["healthy"]: return healthy()
        case ["reinit", name]: return reinit(name)
        case _: return f"unknown: {' '.join(words)}"
    return "done"


def inside():
    """Runs in the namespaces: starts the machines, then reads commands."""
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    os.makedirs("/run/netns")
    run("ip", "link", "set", "lo", "up")
    # The bridge of a previous run in the same network namespace may still exist.
    subprocess.run(["ip", "link", "del", "bridge"], stderr=subprocess.DEVNULL, check=False)
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "addr", "add", "10.77.0.254/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")
    machines = {name: (PatroniMachine if KIND == "patroni" else PostgresMachine)(name) for name in MACHINES}
    for machine in machines.values():
        machine.start()
    deadline = time.monotonic() + 180
    while healthy() < len(machines):
        if time.monotonic() > deadline:
            sys.exit(f"Of the machines {healthy()} were ready after 3 minutes.")
        time.sleep(0.5)
    print("ready", flush=True)
    for line in sys.stdin:
        print(obey(machines, line.split()), flush=True)


def outside():
    """Creates the folder and the namespaces, and removes the folder when the processes in them have ended."""
    os.mkdir(FOLDER, 0o755)
    try:
        return subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv, "inside"],
            check=False).returncode
    finally:
        if "WAYMARK_KEEP_CLUSTER" not in os.environ:
            shutil.rmtree(FOLDER)


if sys.argv[3:] == ["inside"]:
    inside()
else:
    sys.exit(outside())

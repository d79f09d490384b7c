#!/usr/bin/env python3
"""Measures a hub on replicated PostgreSQL: `unshare --net hub.py BINARIES [push] [reports]`, as root.

The tests' script starts three machines with Patroni and etcd in network namespaces; they end with this script, which deletes
all loaded data. `push` measures pushes of clients, alternating with the same SQL in pgbench. `reports` loads 200,000 events of
400 learners and measures a report. BINARIES is the folder with a release build of `waymark-server`.

With the variable `WAYMARK_HUB`, the address of an empty database of PostgreSQL, that database is used instead, and root is not
required.
"""
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import http.client

BINARIES = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.path.join(HERE, "..", "..", "Tests", "System", "PostgresCluster", "cluster.py")
HOSTS = "10.77.0.1,10.77.0.2,10.77.0.3"
HUB = os.environ.get("WAYMARK_HUB", f"postgres://waymark@{HOSTS}/postgres")
WRITING = HUB + ("&" if "?" in HUB else "?") + "target_session_attrs=read-write"
# The steps per message, and the rounds, of which the median counts. MESSAGES: the messages per client by number of clients.
BATCH, TURNS = 500, 3
MESSAGES = {1: 60, 16: 20}
TIME = "2026-11-20T10:00:00.000Z"
COURSES = [{"course": "c", "key": "c", "kind": "course", "slug": "c", "title": "Course"},
           {"course": "c", "key": "g", "kind": "goal", "parent": 0, "slug": "g", "title": "Goal"},
           {"course": "c", "key": "l", "kind": "lesson", "parent": 1, "slug": "l", "title": "Lesson"}] + [
    {"course": "c", "key": f"a{n}", "kind": "activity", "parent": 2, "slug": f"a{n}", "title": f"Activity {n}"}
    for n in range(20)]


def row(name, value, target=""):
    print(f"{name:<66} {value:>14}   {target}", flush=True)


def token(name):
    return subprocess.run([f"{BINARIES}/waymark-server", "tokens", "add", name, "--hub", HUB], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()


def record(learner, number):
    """Returns a push payload: one session of a learner. One tenth of its events are activity events, the others are steps."""
    session = f"{learner[:24]}{number:012x}"

    def uuid(kind, place):
        return f"{learner[:19]}{kind}{number:03x}-{place:012x}"

    steps, acts = [], []
    for place in range(1, BATCH + 1):
        node = 3 + place % 20
        steps.append({
            "activeMs": 0, "animated": False, "at": TIME, "cause": "api", "courseRevision": 1,
            "from": {"kind": "activity", "node": 3 + (place - 1) % 20}, "leftAt": TIME, "operation": "push", "sequence": place,
            "session": session, "stack": [0, 1, 2, node], "to": {"kind": "activity", "node": node},
            "transition": {"direction": "down", "kind": "activityCard", "node": node, "reason": "matched"},
            "uuid": uuid("a", place)})
    # The first step of a session has no origin.
    del steps[0]["from"], steps[0]["transition"]
    # Every tenth event is an activity event.
    for place in range(1, BATCH // 10 + 1):
        steps.pop()
        acts.append({"at": TIME, "kind": "seenToEnd", "node": 3 + place % 20, "orderedAt": place, "sequence": place,
                     "session": session, "uuid": uuid("b", place)})
    return {"activities": acts, "bookmarks": [], "changes": [], "createdAt": TIME, "erased": {"sessions": [], "spans": []},
            "name": "learner", "nodes": COURSES, "passages": [], "positions": [], "quizzes": [],
            "sessions": [{"activeMs": 0, "endedAt": TIME, "lastInputAt": TIME, "name": "shell", "startedAt": TIME,
                          "replica": "load", "timeZone": "GMT", "uuid": session}],
            "settings": {}, "steps": steps, "uuid": learner}


def by_server(port, tokens, first, count):
    """Each client pushes on its own connection. Returns the events per second."""
    bodies = {secret: [json.dumps({"push": {"record": record(secret.split(".")[-1], number)}, "version": 2}).encode()
                       for number in range(first, first + count)] for secret in tokens}
    failures = []

    def push(secret):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for body in bodies[secret]:
            connection.request("POST", "/v1/sync", body,
                               {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                failures.append(text)

    threads = [threading.Thread(target=push, args=(secret,)) for secret in tokens]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    return len(tokens) * count * BATCH / (time.perf_counter() - begin)


def by_pgbench(folder, tokens, first, count):
    """Runs the same SQL with prepared messages of the same form. Returns the events per second."""
    script = os.path.join(folder, "push.sql")
    with open(script, "w", encoding="utf-8") as file:
        for number, secret in enumerate(tokens):
            learner = secret.split(".")[-1]
            file.write(f"\\if :client_id = {number}\n")
            for message in range(first, first + count):
                text = json.dumps(record(learner, message))
                numbers = ",".join(str(number) for number in range(len(COURSES)))
                file.write(f"SELECT waymark.push('main', '{learner}', '{text}', '{{{numbers}}}', NULL, NULL, now());\n")
            file.write("\\endif\n")
    program = subprocess.run(
        ["pgbench", "-n", "-c", str(len(tokens)), "-j", str(min(2, len(tokens))), "-t", "1", "-f", script, WRITING],
        text=True, check=True, capture_output=True)
    rate = float(program.stdout.split("tps = ")[1].split()[0])
    assert f"{len(tokens)}/{len(tokens)}" in program.stdout, program.stdout + program.stderr
    return rate * count * BATCH


def measure_push(port, folder):
    for clients, count in MESSAGES.items():
        rates = {"server": [], "pgbench": []}
        for turn in range(TURNS):
            people = [token(f"push-{clients}-{turn}-{n}") for n in range(2 * clients)]
            rates["server"].append(by_server(port, people[:clients], 0, count))
            rates["pgbench"].append(by_pgbench(folder, people[clients:], 0, count))
        mine, theirs = (statistics.median(rates[name]) for name in ("server", "pgbench"))
        row(f"events pushed over HTTP, {clients} client{'s' * (clients > 1)}", f"{mine:.0f}/s", f"≥ {0.75 * theirs:.0f}/s")
        row("  the same SQL with pgbench", f"{theirs:.0f}/s", f"ratio {mine / theirs:.2f} (≥ 0.75)")
        row("  each turn, server/pgbench", ", ".join(f"{a:.0f}/{b:.0f}" for a, b in zip(*rates.values())))


# The learners of the reports, and the learners who push another message before the last report.
LEARNERS, CHANGED = 400, 20


def measure_report(name, folder):
    """Runs a report, and prints its time, its peak memory and the size of its replica."""
    begin = time.perf_counter()
    program = subprocess.Popen([f"{BINARIES}/waymark-server", "report", "retention", "--hub", HUB, "--replica", folder],
                               stdout=subprocess.PIPE)
    output = program.stdout.read()
    _, status, usage = os.wait4(program.pid, 0)
    seconds = time.perf_counter() - begin
    assert status == 0 and b"\n0     400       400 " in output, (status, output)
    row(f"report, {name}", f"{seconds:.1f} s")
    row("  processor time", f"{usage.ru_utime + usage.ru_stime:.1f} s")
    row("  peak memory", f"{usage.ru_maxrss / 1024:.0f} MB", "≤ 200 MB")


def measure_reports(port, folder):
    people = [token(f"learner-{n}") for n in range(LEARNERS)]
    for first in range(0, LEARNERS, 20):
        by_server(port, people[first:first + 20], 0, 1)
    replica = os.path.join(folder, "replica")
    measure_report(f"{LEARNERS * BATCH:,} events of {LEARNERS} learners, first time", replica)
    size = sum(os.path.getsize(os.path.join(replica, name)) for name in os.listdir(replica))
    row("  size of the replica", f"{size / 1_000_000:.0f} MB")
    measure_report("no changes", replica)
    by_server(port, people[:CHANGED], 1, 1)
    measure_report(f"{CHANGED * BATCH:,} new events of {CHANGED} learners", replica)


class Machines:
    """The machines of the tests' script, in the network namespace of this process."""

    def __init__(self, kind):
        self.process = subprocess.Popen(
            [sys.executable, CLUSTER, kind, f"/tmp/waymark-benchmark.{os.getpid()}"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        assert self.process.stdout.readline() == "ready\n", "The machines were not ready."
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def part(measure):
    """Starts a server on a new hub and calls a function with its port and a temporary folder."""
    machines = contextlib.nullcontext() if "WAYMARK_HUB" in os.environ else Machines("patroni")
    with tempfile.TemporaryDirectory() as folder, machines:
        subprocess.run([f"{BINARIES}/waymark-server", "migrate", HUB], check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [f"{BINARIES}/waymark-server", "serve", "--port", "0", "--requests-per-second", "0", "--hub", HUB],
            stdout=subprocess.PIPE, text=True)
        try:
            measure(int(server.stdout.readline().rsplit(":", 1)[1]), folder)
        finally:
            server.terminate()
            server.wait()


PARTS = {"push": measure_push, "reports": measure_reports}
for name in sys.argv[2:] or PARTS:
    part(PARTS[name])

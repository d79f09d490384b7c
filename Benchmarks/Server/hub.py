#!/usr/bin/env python3
"""Measures a hub on replicated PostgreSQL: `unshare --net hub.py BINARIES [push] [questions]`, as root.

The tests' script starts three machines with Patroni and etcd in network namespaces; they end with this script, which deletes
all loaded data. `push` measures pushes of clients, alternating with the same SQL in pgbench. `questions` loads up to ten
million events and measures the reports of a class at three sizes. BINARIES is the folder with a release build of
`waymark-server`.
"""
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
HUB = f"postgres://waymark@{HOSTS}/postgres"
WRITING = f"{HUB}?target_session_attrs=read-write"
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


def psql(address, sql):
    """Runs SQL without JIT compilation, like the server."""
    return subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address], input=sql, text=True,
                          check=True, stdout=subprocess.PIPE, env={**os.environ, "PGOPTIONS": "-c jit=off"}).stdout


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
            "activeMs": 1_000, "animated": False, "at": TIME, "cause": "api", "courseRevision": 1,
            "from": {"kind": "lesson", "node": 2}, "leftAt": TIME, "operation": "push", "sequence": place,
            "session": session, "stack": [0, 1, 2, node], "to": {"kind": "activity", "node": node},
            "transition": {"direction": "down", "kind": "activityCard", "node": node, "reason": "matched"},
            "uuid": uuid("a", place)})
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


# A class of 1,000 learners. Each of them has begun twenty activities and finished two thirds of them, except for every tenth
# learner, who has not begun.
CLASS = """
INSERT INTO waymark.class VALUES ('main', 'all', now());
INSERT INTO waymark.learner SELECT 'main', md5(n::text)::uuid, 'learner-' || n, now() FROM generate_series(0, 999) AS n;
INSERT INTO waymark.member SELECT 'main', learner, 'all', now() FROM waymark.learner;
INSERT INTO waymark.node SELECT 'main', learner, n, 'c', CASE WHEN n < 3 THEN 'k' || n ELSE 'a' || n END,
  CASE WHEN n > 3 THEN 2 WHEN n > 0 THEN n - 1 END, (ARRAY['course', 'goal', 'lesson', 'activity'])[least(n, 3) + 1],
  's' || n, 'Title ' || n FROM waymark.learner, generate_series(0, 22) AS n;
INSERT INTO waymark.progress SELECT 'main', learner, number, now() - number * interval '1 day' - interval '20 days',
  CASE WHEN number % 3 > 0 THEN now() - number * interval '1 day' END
FROM waymark.node WHERE kind = 'activity' AND learner NOT IN (
  SELECT learner FROM waymark.learner WHERE right(name, 1) = '7');
"""
# Sessions of these learners with 1,000 steps each, for a range of session numbers.
EVENTS = """
INSERT INTO waymark.session SELECT 'main', md5((n % 1000)::text)::uuid, md5('s' || n)::uuid, 'shell', 'GMT', now(), now(), 0,
  now(), NULL, NULL, 'load', 1000, 0, NULL, NULL, true FROM generate_series({first}, {last}) AS n;
INSERT INTO waymark.step SELECT 'main', md5((n % 1000)::text)::uuid, md5('s' || n)::uuid, place,
  ('00000000-0000-4000-8000-' || lpad(to_hex(n::bigint * 1000 + place), 12, '0'))::uuid, 'push', NULL,
  '{{"kind": "activityCard", "direction": "down", "reason": "matched"}}', 3 + place % 20, false, 'api', 'lesson', 2,
  'activity', 3 + place % 20, ARRAY[0, 1, 2, 3 + place % 20], now(), now(), 1000, 1
  FROM generate_series({first}, {last}) AS n, generate_series(1, 1000) AS place;
"""
QUESTIONS = {
    "stuck learners": "report_stuck('main', 'all', 'c', now() - interval '3 days', 100)",
    "learners who have not begun": "report_not_begun('main', 'all', 'c', 100)",
    "unfinished activities": "report_left('main', 'all', 'c', now() - interval '7 days', 100)",
    "retention": "report_retention('main', 'all', 'c', now(), 12)",
}
SIZES = [100_000, 1_000_000, 10_000_000]


def measure_questions():
    address = "postgres://waymark@10.77.0.2/postgres"
    subprocess.run([f"{BINARIES}/waymark-server", "migrate", address], check=True, stdout=subprocess.DEVNULL)
    psql(address, CLASS)
    # The table is deleted afterwards, so it needs no write-ahead log.
    psql(address, "ALTER TABLE waymark.step SET UNLOGGED")
    loaded, times = 0, {name: [] for name in QUESTIONS}
    for size in SIZES:
        begin = time.perf_counter()
        while loaded < size:
            more = min(size, loaded + 1_000_000)
            psql(address, EVENTS.format(first=loaded // 1_000, last=more // 1_000 - 1))
            loaded = more
        row(f"{size} events loaded", f"{time.perf_counter() - begin:.0f} s")
        psql(address, "ANALYZE")
        for name, question in QUESTIONS.items():
            took = []
            for _ in range(7):
                answer = psql(address, f"\\timing on\nSELECT length(waymark.{question}::text)")
                took.append(float(answer.split("Time: ")[1].split()[0]))
            assert int(answer.split()[0]) > 2, (name, answer)
            times[name].append(statistics.median(took))
    row("size of the logs", psql(address, "SELECT pg_size_pretty(pg_total_relation_size('waymark.step'))").strip())
    for name, took in times.items():
        row(f"{name}, at {', '.join(f'{size:,}' for size in SIZES)} events", "/".join(f"{ms:.0f}" for ms in took) + " ms",
            "≤ 200 ms, flat")


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


def push():
    with tempfile.TemporaryDirectory() as folder, Machines("patroni"):
        subprocess.run([f"{BINARIES}/waymark-server", "migrate", HUB], check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [f"{BINARIES}/waymark-server", "serve", "--port", "0", "--requests-per-second", "0", "--hub", HUB],
            stdout=subprocess.PIPE, text=True)
        try:
            measure_push(int(server.stdout.readline().rsplit(":", 1)[1]), folder)
        finally:
            server.terminate()
            server.wait()


def questions():
    with Machines("shards"):
        measure_questions()


PARTS = {"push": push, "questions": questions}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()

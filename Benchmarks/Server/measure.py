#!/usr/bin/env python3
"""Measures the server, compared with the library that it uses: `measure.py BINARIES [load] [bad] [fair] [sync] [keys]`.

BINARIES is the folder with release builds of `waymark` and `waymark-server`. Without further arguments, everything is measured.
The servers run on 127.0.0.1 with new databases in temporary folders. Each row is one value, with its target if it has one.
"""
import asyncio
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

BINARIES = sys.argv[1]
LEARNERS, CONNECTIONS, STEPS, STREAMS = 1_000, 16, 20_000, 10_000
# The bad clients are distributed over this many windows, which alternate with windows without bad clients.
BAD, WINDOWS, SECONDS = 14_000, 7, 3
# The connections of a learner who sends requests on all of them without a pause.
FLOOD = 32
# The steps of the first synchronisation.
HISTORY = 100_000
KEYS = 200
PAGE = "/v1/courses/english-for-business?depth=1"
PLACES = ["english-for-business/meetings", "english-for-business/negotiating"]


def run(*arguments, text="", **variables):
    """Runs a program and returns its output."""
    return subprocess.run(arguments, input=text, text=True, check=True, env={**os.environ, **variables},
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def row(name, value, target=""):
    print(f"{name:<58} {value:>14}   {target}", flush=True)


def memory(process, kind):
    """Returns the memory of a process in MB, or 0 after its end."""
    with open(f"/proc/{process}/status", encoding="utf-8") as status:
        found = re.search(rf"{kind}:\s+(\d+)", status.read())
        return int(found[1]) / 1024 if found else 0


class Server:
    """A server with the bundled course and a token for each of many learners."""

    def __init__(self, folder, learners=LEARNERS):
        self.database = os.path.join(folder, "waymark.sqlite")
        os.environ.update(WAYMARK_DATABASE=self.database, WAYMARK_LEARNER="ada", TZ="UTC")
        run(f"{BINARIES}/waymark", "import", "--bundled")
        self.tokens = [run(f"{BINARIES}/waymark-server", "tokens", "add", f"learner-{n}").strip() for n in range(learners)]
        self.process = subprocess.Popen(
            [f"{BINARIES}/waymark-server", "serve", "--port", "0", "--requests-per-second", "0"], stdout=subprocess.PIPE,
            text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def memory(self, kind="VmRSS"):
        """Returns the memory in MB: the current one, or the peak with `VmHWM`."""
        return memory(self.process.pid, kind)

    def end(self):
        self.process.terminate()
        self.process.wait()


async def exchange(reader, writer, method, path, token, body=""):
    """Sends a request and reads its response. Returns the status and the seconds."""
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    begin = time.perf_counter()
    writer.write((head + "\r\n" + body).encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", answer)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(answer.split(b" ", 2)[1]), time.perf_counter() - begin


async def load(server, connections, count, request):
    """Sends `count` requests on some connections. `request` returns the request with a number."""
    seconds, statuses = [], {}

    async def one(first):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for number in range(first, count, connections):
            status, took = await exchange(reader, writer, *request(number))
            statuses[status] = statuses.get(status, 0) + 1
            seconds.append(took)
        writer.close()

    begin = time.perf_counter()
    await asyncio.gather(*[one(number) for number in range(connections)])
    whole = time.perf_counter() - begin
    assert set(statuses) == {200}, statuses
    return (count / whole, *percentiles(seconds))


def percentiles(seconds):
    """Returns the median and the 99th percentile in milliseconds."""
    seconds = sorted(seconds)
    return 1_000 * seconds[len(seconds) // 2], 1_000 * seconds[int(len(seconds) * 0.99)]


async def paced(server, seconds, request, until=None):
    """Sends a request every few milliseconds for some seconds, or until a process ends. Returns the times of the responses."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    took, end, number = [], time.perf_counter() + seconds, 0
    while until.poll() is None if until else time.perf_counter() < end:
        status, answer = await exchange(reader, writer, *request(number))
        assert status == 200, status
        took.append(answer)
        number += 1
        await asyncio.sleep(0.005)
    writer.close()
    return took


async def nuisance(port, count):
    """Runs bad clients, up to 500 at a time: they send incomplete or invalid requests, or close the connection."""
    beginnings = [b"GET /v1/courses HT", b"\0\1\2\r\n\r\n",
                  b"POST /v1/steps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc", b"",
                  b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n" * 20]
    held = []
    for number in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginnings[number % len(beginnings)])
        held.append(writer)
        if len(held) > 500:
            held.pop(0).close()
        await asyncio.sleep(0.001)
    for writer in held:
        writer.close()


def step(server, number, shift=0):
    """Returns the request for a step of one learner after the other, alternating between two places."""
    learner, turn = number % LEARNERS, number // LEARNERS + shift
    body = json.dumps({"operation": "open", "place": PLACES[turn % 2]})
    return "POST", "/v1/steps", server.tokens[learner], body


async def streams(server, count):
    """Opens event streams, waits until all have begun, and returns them."""
    opened = [None] * count

    async def one(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        token = server.tokens[number % LEARNERS]
        writer.write(f"GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        await reader.readuntil(b"retry: 1000\n\n")
        opened[number] = reader, writer

    for first in range(0, count, 200):
        await asyncio.gather(*[one(number) for number in range(first, min(count, first + 200))])
    return opened


async def measure(server):
    lines = "".join(json.dumps({"operation": "open", "place": PLACES[n % 2]}) + "\n" for n in range(5_000))
    begin = time.perf_counter()
    run(f"{BINARIES}/waymark", "nav", "run", text=lines)
    doors = 5_000 / (time.perf_counter() - begin)
    row("steps through the library, one learner, without fsync", f"{doors:.0f}/s")

    await load(server, CONNECTIONS, LEARNERS, lambda n: step(server, n))
    rate, _, late = await load(server, 1, 1_000, lambda n: step(server, n, 1))
    row("steps over HTTP, 1 connection, one commit each", f"{rate:.0f}/s")
    rate, middle, late = await load(server, CONNECTIONS, STEPS, lambda n: step(server, n, 2))
    row(f"steps over HTTP, {CONNECTIONS} connections, {LEARNERS} learners", f"{rate:.0f}/s", f"≥ {0.4 * doors:.0f}/s")
    row("  median", f"{middle:.1f} ms")
    row("  99th percentile", f"{late:.1f} ms", "≤ 60 ms")
    row("  memory", f"{server.memory():.0f} MB", "≤ 150 MB")
    metrics = run("curl", "-s", f"http://127.0.0.1:{server.port}/metrics")
    commits, requests = (float(re.search(rf"waymark_commit_requests_{word} (\S+)", metrics)[1]) for word in ("count", "sum"))
    row("  requests per commit", f"{requests / commits:.1f}")

    rate, middle, late = await load(server, CONNECTIONS, 10_000, lambda n: ("GET", PAGE, server.tokens[n % LEARNERS]))
    row(f"pages of a list, {CONNECTIONS} connections", f"{rate:.0f}/s")
    row("  median", f"{middle:.1f} ms")
    rate, middle, late = await load(server, 2, 4_000, lambda n: ("GET", PAGE, server.tokens[n % LEARNERS]))
    row("pages of a list, 2 connections, 99th percentile", f"{late:.1f} ms", "≤ 10 ms")

    course = os.path.join(os.path.dirname(server.database), "large.json")
    with open(course, "w", encoding="utf-8") as file:
        json.dump({"waymark": 1, "course": large()}, file)
    importing = subprocess.Popen([f"{BINARIES}/waymark", "import", course], stdout=subprocess.DEVNULL)
    reads, empty, steps = await asyncio.gather(
        paced(server, 0, lambda n: ("GET", PAGE, server.tokens[n % LEARNERS]), importing),
        paced(server, 0, lambda n: ("GET", "/live", ""), importing),
        paced(server, 0, lambda n: step(server, n), importing))
    row(f"during an import of 100,000 nodes: {len(reads)} reads, 99th percentile", f"{percentiles(reads)[1]:.1f} ms", "≤ 10 ms")
    row("  requests without the database, 99th percentile", f"{percentiles(empty)[1]:.1f} ms")
    row(f"  {len(steps)} steps, longest", f"{1_000 * max(steps):.0f} ms", "≤ 3000 ms")

    before = server.memory()
    opened = await streams(server, STREAMS)
    row(f"{STREAMS} event streams, memory", f"{server.memory():.0f} MB", "≤ 400 MB")
    row("  per stream", f"{(server.memory() - before) * 1024 / STREAMS:.1f} KB")
    reader = opened[0][0]
    begin = time.perf_counter()
    program = await asyncio.create_subprocess_exec(
        f"{BINARIES}/waymark", "nav", "open", "english-for-business", "--learner", "learner-0", stdout=subprocess.DEVNULL)
    await program.wait()
    made = time.perf_counter()
    await reader.readuntil(b"event: step")
    told = time.perf_counter()
    row("a step of the command line reaches a stream", f"{1_000 * max(0, told - made):.0f} ms later", "≤ 250 ms")
    for _, writer in opened:
        writer.close()


async def measure_bad(server):
    """Measures pages of a list next to requests without a database, which wait for the machine only."""
    async def window(until=None):
        return [percentiles(took)[1] for took in await asyncio.gather(
            paced(server, SECONDS, lambda n: ("GET", PAGE, server.tokens[n % len(server.tokens)]), until),
            paced(server, SECONDS, lambda n: ("GET", "/live", ""), until))]

    alone, beside = [], []
    await window()
    for _ in range(WINDOWS):
        alone.append(await window())
        # In a process of its own, so that the measured client is not delayed by the bad ones.
        bad = subprocess.Popen([sys.executable, __file__, "--nuisance", str(server.port), str(BAD // WINDOWS)])
        beside.append(await window(bad))
    # A window has a few hundred requests, so its 99th percentile depends on the scheduler. The median of all windows counts.
    (page, live), (page_beside, live_beside) = ([statistics.median(column) for column in zip(*rows)] for rows in (alone, beside))
    spread = ", ".join(f"{a[0]:.1f}/{b[0]:.1f}" for a, b in zip(alone, beside))
    row(f"pages of a list, 99th percentile, median of {WINDOWS} windows", f"{page:.1f} ms")
    row(f"  with {BAD} bad clients", f"{page_beside:.1f} ms", f"≤ {1.2 * page:.1f} ms")
    row("  each window, without/with them, in ms", spread)
    row("  requests without the database, without/with them", f"{live:.1f}/{live_beside:.1f} ms")


async def flood(port, path, token):
    """Sends the same request of one learner on many connections without a pause."""
    async def one():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            status, _ = await exchange(reader, writer, "GET", path, token)
            if status == 429:
                await asyncio.sleep(0.05)

    await asyncio.gather(*[one() for _ in range(FLOOD)])


async def measure_fair(server):
    """Measures light requests of one learner during a flood of another learner's requests."""
    greedy, other = server.tokens
    lines = "".join(json.dumps({"operation": "open", "place": PLACES[n % 2]}) + "\n" for n in range(5_000))
    run(f"{BINARIES}/waymark", "nav", "run", text=lines, WAYMARK_LEARNER="learner-0")
    light = "/v1/courses"
    heavy = ["/v1/me", "/v1/search?q=meeting+a+b+c+d+e", "/v1/history?limit=1000", "/v1/statistics?by=place"]

    async def window(path):
        flooding = subprocess.Popen([sys.executable, __file__, "--flood", str(server.port), path, greedy])
        await asyncio.sleep(0.5)
        took = await paced(server, SECONDS, lambda n: ("GET", light, other))
        flooding.kill()
        flooding.wait()
        return percentiles(took)[1]

    late = {path: [] for path in [light, *heavy]}
    for _ in range(WINDOWS):
        for path, windows in late.items():
            windows.append(await window(path))
    late = {path: statistics.median(windows) for path, windows in late.items()}
    row(f"light requests, another learner on {FLOOD} connections, 99th percentile", f"{late[light]:.1f} ms")
    for path in heavy:
        row(f"  which request {path.split('?')[0]}", f"{late[path]:.1f} ms", f"≤ {3 * late[light]:.1f} ms")


def measure_sync(server, folder):
    """Measures a first synchronisation, and one of a session of fifty steps, with the command-line program."""
    os.environ["HOME"] = folder
    leaf = {"WAYMARK_DATABASE": os.path.join(folder, "leaf.sqlite"), "WAYMARK_LEARNER": "ada"}
    address = f"http://127.0.0.1:{server.port}"
    token = run(f"{BINARIES}/waymark-server", "tokens", "add", "ada")

    def walk(count):
        lines = "".join(json.dumps({"operation": "open", "place": PLACES[n % 2]}) + "\n" for n in range(count))
        run(f"{BINARIES}/waymark", "nav", "run", text=lines, **leaf)

    def sync(*arguments, text=""):
        """Returns the report, the seconds, and the peak memory in MB.

        `ru_maxrss` cannot be used: its initial value is that of this process, which starts the program."""
        begin, most = time.perf_counter(), 0
        program = subprocess.Popen(
            [f"{BINARIES}/waymark", "sync", address, "--format", "json", *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, **leaf})
        program.stdin.write(text)
        program.stdin.close()
        while program.poll() is None:
            most = max(most, memory(program.pid, "VmHWM"))
            time.sleep(0.002)
        took = time.perf_counter() - begin
        report = program.stdout.read()
        assert program.returncode == 0, report
        return json.loads(report), took, most

    run(f"{BINARIES}/waymark", "import", "--bundled", **leaf)
    walk(HISTORY)
    report, took, most = sync("--join", "--token", text=token)
    row(f"first synchronisation of {report['sent']['steps']} steps", f"{took:.1f} s")
    row("  memory of the command", f"{most:.0f} MB", "≤ 100 MB")
    row("  memory of the server", f"{server.memory('VmHWM'):.0f} MB", "≤ 100 MB")
    again = []
    for _ in range(WINDOWS):
        walk(50)
        again.append(sync())
    row("fifty more steps, the whole command", f"{1_000 * statistics.median(took for _, took, _ in again):.0f} ms")
    row("no new records, the whole command", f"{1_000 * statistics.median(sync()[1] for _ in range(WINDOWS)):.0f} ms")


def measure_keys(server, folder):
    """Measures keys in the browser, alone and while it receives a long history from the server."""
    os.environ["HOME"] = folder
    database = os.path.join(folder, "leaf.sqlite")
    leaf = {"WAYMARK_DATABASE": database, "WAYMARK_LEARNER": "ada"}
    address = f"http://127.0.0.1:{server.port}"
    run(f"{BINARIES}/waymark", "import", "--bundled", **leaf)
    token = run(f"{BINARIES}/waymark-server", "tokens", "add", "ada")
    run(f"{BINARIES}/waymark", "sync", address, "--join", "--token", text=token, **leaf)
    lines = "".join(json.dumps({"operation": "open", "place": PLACES[n % 2]}) + "\n" for n in range(HISTORY))
    run(f"{BINARIES}/waymark", "nav", "run", text=lines)

    def steps():
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as shell:
            return shell.execute("SELECT count(*) FROM navigationEvent").fetchone()[0]

    def keys(**variables):
        """Moves the selection down and up. Returns the seconds to the first byte of each answer, and the received steps."""
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(leaf, TERM="xterm-256color", **variables)
            os.execv(f"{BINARIES}/waymark", ["waymark", "browse", "english-for-business", "--motion", "none"])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        quiet(terminal, 3)
        before, took = steps(), []
        for number in range(KEYS):
            begin = time.perf_counter()
            os.write(terminal, b"\x1b[B" if number % 2 == 0 else b"\x1b[A")
            select.select([terminal], [], [], 10)
            took.append(time.perf_counter() - begin)
            quiet(terminal, 0.05)
        came = steps() - before
        os.kill(process, signal.SIGTERM)
        quiet(terminal, 0.5)
        os.waitpid(process, 0)
        os.close(terminal)
        return took, came

    alone, _ = keys()
    beside, came = keys(WAYMARK_SYNC=address)
    # The synchronisation must still be running when the last key is pressed.
    assert 0 < came and steps() < HISTORY, (came, steps())
    row(f"{KEYS} keys in the browser, median", f"{percentiles(alone)[0]:.1f} ms")
    row("  99th percentile", f"{percentiles(alone)[1]:.1f} ms")
    row(f"while it receives {came} steps, median", f"{percentiles(beside)[0]:.1f} ms")
    row("  99th percentile", f"{percentiles(beside)[1]:.1f} ms")


def quiet(terminal, seconds):
    """Reads output until there is none for some seconds."""
    while select.select([terminal], [], [], seconds)[0]:
        try:
            os.read(terminal, 65_536)
        except OSError:
            return


def large():
    """Returns a course of 100,000 nodes."""
    def node(key, children):
        return {"key": key, "title": key, "children": children}

    return node("large", [
        node(f"g{g}", [
            node(f"l{g}-{l}", [
                {"key": f"a{g}-{l}-{a}", "title": f"a{g}-{l}-{a}", "reading": ["Some words to read."]} for a in range(99)
            ]) for l in range(100)
        ]) for g in range(10)
    ])


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    parts = {
        "load": (LEARNERS, lambda server, _: asyncio.run(measure(server))),
        "bad": (16, lambda server, _: asyncio.run(measure_bad(server))),
        "fair": (2, lambda server, _: asyncio.run(measure_fair(server))),
        "sync": (1, measure_sync),
        "keys": (1, measure_keys),
    }
    for name in sys.argv[2:] or parts:
        learners, part = parts[name]
        with tempfile.TemporaryDirectory() as folder:
            server = Server(folder, learners)
            try:
                part(server, folder)
            finally:
                server.end()


if __name__ == "__main__":
    if sys.argv[1] == "--nuisance":
        asyncio.run(nuisance(int(sys.argv[2]), int(sys.argv[3])))
    elif sys.argv[1] == "--flood":
        asyncio.run(flood(int(sys.argv[2]), *sys.argv[3:]))
    else:
        main()

"""How fast, large and busy the real program is: `python -m tests.bench.size [SECONDS]`.

Starts `companion` without a window as systemd does, and looks at it from outside: the time until everything
that the home screen needs is imported, and until the first picture (READY=1), the best of five; then, for so
many seconds each (30), the share of one core at rest on the home screen, on a game that waits for a person,
and while the camera runs (a recording of throws, 1280 x 720, 15 pictures a second), with the memory. Times
are those of the clock and, in brackets, of the processor: others may use this machine, too.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import cv2

from companion.bench import framed
from companion.config import ASSETS, CONFIG, ROOT
from companion.games.book import books
from companion.store import Store
from companion.table import Table
from tests.bench.asked import asked
from tests.process import memory

ROUNDS = 5
RATE, SIZE = 15, (1280, 720)
TICKS = os.sysconf("SC_CLK_TCK")
IMPORT = (
    "import time as t; a, b = t.perf_counter(), t.process_time(); import companion.opening, companion.cli;"
)
IMPORT += "print(t.perf_counter() - a, t.process_time() - b)"


def spent(process: int) -> float:
    """Seconds of processor time that a process and its threads have used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def running(data: Path, *words: str) -> Iterator[tuple[int, float, float]]:
    """The program, from its first picture on; the seconds until then, by the clock and of the processor."""
    address = data / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        systemd.settimeout(60)
        environment = os.environ | {
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "COMPANION_DATA": str(data),
            "COMPANION_CONFIG": str(CONFIG),
            "NOTIFY_SOCKET": str(address),
        }
        begun = time.perf_counter()
        command = [sys.executable, "-m", "companion", "--size", "800x480", "--window", *words]
        with subprocess.Popen(command, cwd=ROOT, env=environment) as program:
            try:
                while systemd.recv(4096) != b"READY=1":
                    pass
                yield program.pid, time.perf_counter() - begun, spent(program.pid)
            finally:
                program.send_signal(signal.SIGTERM)
                program.wait(20)
                address.unlink()


def imports() -> tuple[float, float]:
    """Seconds that the imports take."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    clock, processor = map(float, done.stdout.splitlines()[-1].split())
    return clock, processor


def at_rest(what: str, data: Path, seconds: float, *words: str) -> None:
    """What it uses while nobody does anything."""
    with running(data, *words) as (process, _, _):
        time.sleep(5)  # clips are decoded ahead, the first pictures are drawn
        before = spent(process)
        time.sleep(seconds)
        share = 100 * (spent(process) - before) / seconds
        print(f"{what}: {share:.1f} % of a core; {memory(process):.0f} MB, at most", end=" ")
        print(f"{memory(process, 'VmHWM'):.0f} MB", flush=True)


def put_on_table(data: Path, name: str) -> None:
    """A game that waits for its first player lies there when it starts."""
    table = Table(Store.open(data / "companion.db"))
    game = table.begin(books()[name], books()[name].agree(CONFIG))
    while game.match.awaits[0].who is None and game.match.awaits[0].what not in ("roll", "dice"):
        table.throw(game.match.awaits[0])
    table.close()


def recording(file: Path, seconds: float) -> Path:
    """Throws of the samples, as a camera of 1280 x 720 would have recorded them."""
    video = cv2.VideoCapture(str(ASSETS / "samples" / "two-white.mp4"))
    pictures = []
    while (read := video.read())[0]:
        pictures.append(framed(read[1], SIZE))  # type: ignore[arg-type]
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for picture in islice(cycle(pictures), int(RATE * seconds)):
        writer.write(picture)
    writer.release()
    return file


def main() -> None:
    """Print it all."""
    seconds = asked(__doc__, seconds=30.0).seconds
    clock, processor = min(imports() for _ in range(ROUNDS))
    print(f"imports: {clock:.2f} s ({processor:.2f})")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        starts = []
        for _ in range(ROUNDS):
            with running(data) as (_, clock, processor):
                starts.append((clock, processor))
        clock, processor = min(starts)
        print(f"from the start to the first picture: {clock:.2f} s ({processor:.2f})")
        at_rest("home", data, seconds)
        put_on_table(data, "kabooom")
        at_rest("a game that waits", data, seconds)
        shutil.rmtree(data)
        data.mkdir()
        put_on_table(data, "bau-boom")
        film = recording(Path(folder) / "throws.avi", seconds + 30)
        at_rest("the camera runs", data, seconds, "--camera", str(film))


if __name__ == "__main__":
    main()

"""A companion that asks a question nobody can press, says which process thinks, and waits to be killed."""

import os
import queue
import signal

from companion.events import Heard
from companion.mind.mind import Mind
from tests.mind.thinkers import Stubborn

if __name__ == "__main__":
    said: queue.Queue[Heard] = queue.Queue()
    mind = Mind(said.put)
    mind.ask(Stubborn())
    said.get()
    assert mind.child
    print(mind.child.process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)

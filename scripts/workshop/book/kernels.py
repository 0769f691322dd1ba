"""How a notebook's kernel is talked to: by files instead of ports, and without waiting for a message that got lost.

A manager of Jupyter picks five free ports, lets go of them, and tells the kernel to take them: until it does, any
other program of the machine may be given one. Sockets that are files in a folder of the kernel's own can't be taken.

ZeroMQ tells only once that a message has come, and a program that sends at that moment can miss it: kernel and client
then wait for each other until something else is sent (github.com/ipython/ipykernel/issues/1554). So a client that has
waited long asks the kernel what it is, which makes both look again. A busy kernel answers that later.
"""

import time
from queue import Empty

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from jupyter_client.manager import AsyncKernelManager
from traitlets import DottedObjectName, Type
from traitlets.config import Config

NUDGE_S = 10.0


class Shell(AsyncZMQSocketChannel):
    """The channel on which a kernel says that it has run a cell."""

    async def get_msg(self, timeout: float | None = None) -> dict:
        """The next message; Empty if none came within ``timeout`` seconds."""
        end = float("inf") if timeout is None else time.monotonic() + timeout
        while True:
            try:
                return await super().get_msg(max(0.0, min(NUDGE_S, end - time.monotonic())))
            except Empty:
                if time.monotonic() >= end:
                    raise
            self.send(self.session.msg("kernel_info_request", {}))


class Client(AsyncKernelClient):
    """A client that does not wait for a lost message."""

    shell_channel_class = Type(Shell)


class Manager(AsyncKernelManager):
    """Starts kernels whose clients are of that kind."""

    client_class = DottedObjectName(f"{__name__}.Client")
    client_factory = Type(Client)


def in_folder(folder: str) -> Config:
    """The configuration of a manager whose kernel has its sockets in a folder: a short path, below 90 characters."""
    return Config({"Manager": {"transport": "ipc", "ip": f"{folder}/kernel"}})

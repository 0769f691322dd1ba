"""How the book's notebooks talk to their kernels: no port that another program may take, no message lost for good."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import nbformat
from nbclient import NotebookClient

from workshop.book import kernels

WHERE = "import json, ipykernel\nprint(json.loads(ipykernel.get_connection_info())['transport'])"


def test_a_cell_longer_than_the_nudge_gives_its_output_once(tmp_path, monkeypatch):
    """What the kernel answers to the nudges is none of the notebook's."""
    monkeypatch.setattr(kernels, "NUDGE_S", 0.05)
    cells = [nbformat.v4.new_code_cell(source) for source in (WHERE, "import time; time.sleep(0.5); print('slept')")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    config = kernels.in_folder(str(tmp_path))
    NotebookClient(notebook, kernel_name="python3", kernel_manager_class=kernels.Manager, config=config).execute()
    assert [cell.outputs[0].text for cell in notebook.cells] == ["ipc\n", "slept\n"]
    assert [cell.execution_count for cell in notebook.cells] == [1, 2]


def test_who_waits_long_asks_the_kernel(tmp_path, monkeypatch):
    """Nobody has asked anything, so an answer to what the channel itself has sent can only come from a nudge."""

    async def answer_to_a_nudge() -> str:
        manager = kernels.Manager(kernel_name="python3", config=kernels.in_folder(str(tmp_path)))
        await manager.start_kernel()
        client = manager.client()
        client.start_channels()
        try:
            await client.wait_for_ready(timeout=120)
            shell, asked = client.shell_channel, []
            send = shell.send
            monkeypatch.setattr(
                shell, "send", lambda message: (asked.append(message["header"]["msg_id"]), send(message))
            )
            monkeypatch.setattr(kernels, "NUDGE_S", 0.1)
            while True:  # who waited for the kernel may have asked more than once: those answers come first
                answer = await shell.get_msg(120)
                if answer["parent_header"]["msg_id"] in asked:
                    return answer["msg_type"]
        finally:
            client.stop_channels()
            await manager.shutdown_kernel(now=True)

    # In a thread: a browser's tests leave an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, answer_to_a_nudge()).result() == "kernel_info_reply"

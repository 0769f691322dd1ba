"""Which jobs may overtake? Complete the rule: as it stands, it lets every job that fits now start now."""


def may_start(nodes: int, walltime: int, now: int, free: int, promised_start: int, spare: int) -> bool:
    """True when a waiting job may start now although another job is at the head of the queue.

    Args:
        nodes: nodes that the waiting job needs.
        walltime: minutes that it asks for.
        now: the present minute.
        free: nodes that are free now.
        promised_start: the minute at which the head job is promised its nodes.
        spare: nodes that will be free at that minute and that the head job does not need.
    """
    return nodes <= free

"""A job's log understood: messages that people meet, as data, and the search for the first cause.

``why.py`` and ``messages.json`` need the standard library only and no other file, so that they can be copied to a
cluster; both also run in a browser. ``messages/*.yml`` is what people edit; ``wordings.py`` makes the JSON of it.
"""

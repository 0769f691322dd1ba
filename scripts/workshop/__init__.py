"""Library and command line of the HPC Cluster Workshop."""

import sys

__version__ = "0.1.0"

# jsonschema, which half of Jupyter imports, would compile 38 grammars of internet addresses at its import (0.8 s), to
# check a format that nobody asks for here. It does without where this module can't be imported.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

"""The book: notebooks, pages, site."""

import sys

# jsonschema, which half of Jupyter imports, would compile 38 grammars of internet addresses at its import (0.8 s), to
# check a format that no build asks for. It does without where this module can't be imported.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

"""Where the course lives: one setting, ``workshop_home`` of ``_config.yml``, for its repository and its site.

Clone and install lines, links to edit a page, and canonical addresses follow it.
"""

import re
from pathlib import Path

from lxml import html
from sphinx.application import Sphinx
from sphinx.config import Config

from workshop import sites
from workshop.paths import REPO
from workshop.yaml_files import read_yaml

SETTING = "workshop_home"
# Where pages name the repository; other addresses (of mail) are called so as well.
_PLACEHOLDER = re.compile(
    r"(?<=clone )ADDRESS\b|(?<=git\+)ADDRESS\b|(?<=repo: )ADDRESS\b|(?<=ls-remote )ADDRESS\b|`ADDRESS`"
)


def missing(root: Path = REPO) -> str | None:
    """What a site without the setting lacks, in one line; None where both addresses are set."""
    home = read_yaml(root / "_config.yml")["sphinx"]["config"].get(SETTING, {})
    unset = [name for name in ("repository", "site") if not home.get(name)]
    if not unset:
        return None
    lacks = {
        "repository": "clone lines say ADDRESS and pages have no link to edit them",
        "site": "pages have no canonical address",
    }
    return f"{SETTING} in _config.yml names no {' and no '.join(unset)}: {'; '.join(lacks[name] for name in unset)}."


def with_address(text: str, repository: str) -> str:
    """A page's text with the repository's address in place of ``ADDRESS``."""
    return _PLACEHOLDER.sub(lambda found: found[0].replace("ADDRESS", repository), text)


def _set_addresses(app: Sphinx, config: Config) -> None:
    repository, site = config[SETTING].get("repository"), config[SETTING].get("site")
    if site:
        config.html_baseurl = site.rstrip("/") + "/"
    if repository:
        config.html_theme_options |= {
            "repository_url": repository,
            "repository_branch": config[SETTING].get("branch", "main"),
            "path_to_docs": "",
            "use_edit_page_button": True,
        }
        if provider := config[SETTING].get("provider"):
            config.html_theme_options["repository_provider"] = provider


def _replace(app: Sphinx, document: str, source: list[str]) -> None:
    if repository := app.config[SETTING].get("repository"):
        source[0] = with_address(source[0], repository)


def edit_site_files(page: html.HtmlElement) -> None:
    """The page of a cluster is made from its site file: that is what is edited."""
    for link in page.xpath("//a[contains(@href, '/clusters/')]"):
        found = re.search(r"^(https?://.*)/clusters/([^/]+)\.md$", link.get("href"))
        if found and "btn" in link.classes:
            link.set("href", f"{found[1]}/{sites.load_site(found[2]).path.relative_to(REPO)}")


def add_to(app: Sphinx) -> None:
    """Register the setting and what follows it."""
    app.add_config_value(SETTING, {}, "env", types=(dict,))
    app.connect("config-inited", _set_addresses)
    app.connect("source-read", _replace)

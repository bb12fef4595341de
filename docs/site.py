"""Bring the files that pages link to, outside this folder, into the site.

Pages link to committed results, findings and the files at the root of the repository as GitHub
resolves these links. The site's root is this folder, one level below, so each link loses one level,
and links from the root's pages into `docs/` lose that folder.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md")
FOLDERS = (
    "experiments/results",
    "analysis/findings",
    "spielgames/new/template/whist",
    "tests/packages",
    "examples",
)
SHOWN = {".md", ".png", ".csv", ".txt", ".py", ".ipynb"}
UP = re.compile(rf"\]\(\.\./((?:\.\./)*(?:{'|'.join((*PAGES, *FOLDERS))}))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in brought():
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    if page.file.src_uri in PAGES:
        return markdown.replace("](docs/", "](")
    return UP.sub(r"](\1", markdown)


def brought() -> Iterator[Path]:
    yield from (ROOT / name for name in PAGES)
    for folder in FOLDERS:
        yield from (p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in SHOWN)

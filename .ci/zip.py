"""Packs a built program with its papers, for .ci/package.

Usage: zip.py ZIP PROGRAM NAME TARGET. NAME is the program's name in the zip, TARGET the triple
it was built for. Two runs on the same input give the same bytes: names are sorted and all times
are SOURCE_DATE_EPOCH.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

# Gomocup takes no larger zip from a new author.
LARGEST = 8 << 20
# Of a choice of licences the first that the crate has; notices that go with any of them.
CHOICE = ["LICENSE-MIT", "LICENSE", "LICENSE-APACHE", "LICENSE-APACHE-2.0"]
NOTICES = ["LICENSE-THIRD-PARTY", "LICENSE-UNICODE", "NOTICE"]


def linked_crates(target):
    """The packages of other authors that the program is linked from, by name and version."""
    command = ["cargo", "metadata", "--format-version=1", "--locked"]
    command.append(f"--filter-platform={target}")
    metadata = json.loads(subprocess.check_output(command))
    packages = {package["id"]: package for package in metadata["packages"]}
    dependencies = {
        node["id"]: [
            link["pkg"]
            for link in node["deps"]
            if any(kind["kind"] is None for kind in link["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    own = metadata["resolve"]["root"]
    reached, waiting = {own}, [own]
    while waiting:
        new = set(dependencies[waiting.pop()]) - reached
        reached |= new
        waiting += new
    crates = [packages[key] for key in reached - {own}]
    return sorted(crates, key=lambda crate: (crate["name"], crate["version"]))


def licence_texts(crate):
    """The crate's licence of our choice and its notices."""
    folder = Path(crate["manifest_path"]).parent
    files = {path.name.upper(): path for path in folder.iterdir() if path.is_file()}
    files = {name.removesuffix(".TXT").removesuffix(".MD"): path for name, path in files.items()}
    chosen = [name for name in CHOICE if name in files][:1]
    if not chosen:
        sys.exit(f"{crate['name']} {crate['version']} comes without a licence text")
    names = chosen + [name for name in NOTICES if name in files]
    return [files[name].read_text(encoding="utf-8").strip() for name in names]


def third_party(target):
    """What the authors of the linked crates want to be passed on; equal texts once."""
    sharing = {}
    for crate in linked_crates(target):
        for text in licence_texts(crate):
            sharing.setdefault(text, []).append(f"{crate['name']} {crate['version']}")
    head = (
        "The program holds code of the Rust standard library (MIT or Apache-2.0, the Rust "
        "project's contributors)\nand of the packages below, each under the text that "
        "follows its name.\n"
    )
    line = "\n" + "-" * 80 + "\n"
    parts = [f"{', '.join(names)}\n\n{text}\n" for text, names in sharing.items()]
    return line.join([head, *parts])


def write_zip(path, files):
    """Writes names and bytes, so that equal input gives equal bytes."""
    moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system = 3  # Unix, or the right to run the program is not kept
            mode = 0o755 if name.endswith(".exe") else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def main():
    path, program, name, target = sys.argv[1:]
    papers = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]
    files = {paper: Path(paper).read_bytes() for paper in papers}
    files["LICENSE-OTHERS.txt"] = third_party(target).encode()
    files[name] = Path(program).read_bytes()
    write_zip(path, files)
    content = Path(path).read_bytes()
    print(f"{path}  {len(content)} bytes  sha256 {hashlib.sha256(content).hexdigest()}")
    if len(content) > LARGEST:
        sys.exit(f"{path} is larger than {LARGEST} bytes")


main()

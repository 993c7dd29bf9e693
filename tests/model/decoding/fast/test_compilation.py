"""Compiled code on disk: whatever state it is in, calls give the right result, and the next process finds it whole.

Every process here is one of its own. It runs a copy of `model.decoding.fast.compilation` beside two small compiled
functions, of which one calls the other, and prints the result and how many functions numba compiled.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from model.decoding.fast import compilation, search_kernels, training_kernels
from model.decoding.fast.compilation import CompiledFunction
from model.paths import ROOT

RESULT = "10.0"  # 1 + 1 + 4 + 4

INNER = """
from model.decoding.fast.compilation import jit

@jit
def square(x):
    return x * x
"""
OUTER = """
import numpy as np
from model.decoding.fast.compilation import jit
from model.decoding.fast.inner import square

@jit
def add_squares(x, total):
    for k in range(len(x)):
        total[0] += square(x[k])
"""
CALL = """
import os
import numpy as np
from model.decoding.fast.outer import add_squares
before_call()
from numba.core import event
total = np.zeros(1)
with event.install_recorder("numba:compile") as compiled:
    add_squares(np.array([1.0, -1.0, 2.0, -2.0]), total)
print(total[0], sum(one.is_start for _, one in compiled.buffer))
"""
COMPILED, LOADED = f"{RESULT} 2\n", f"{RESULT} 0\n"
FEW_BYTES = """
def before_call():
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # as a full disk does it: a longer file fails to be written
"""
KILLED = """
def before_call():
    os.fsync = lambda _: os.kill(os.getpid(), 9)  # when the archive is written, and has not got its name
"""


@dataclass
class Installation:
    """A folder with the code, a home, and a folder for temporary files."""

    root: Path

    @property
    def beside(self) -> Path:
        return self.root / "model/decoding/fast/__pycache__"

    @property
    def home(self) -> Path:
        return self.root / "home"

    def archives(self) -> list[Path]:
        return sorted(self.root.rglob("compiled-*.cache"))

    def start(self, before: str = "def before_call(): pass\n", **environment: str | None) -> subprocess.Popen[str]:
        given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(self.home), "TMPDIR": str(self.root / "tmp"),
                 "XDG_CACHE_HOME": None, "LOCALAPPDATA": None, **environment}
        variables = {name: value for name, value in given.items() if value is not None}
        return subprocess.Popen([sys.executable, "-c", before + CALL], cwd=self.root, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=variables)

    def call(self, before: str = "def before_call(): pass\n", **environment: str | None) -> str:
        with self.start(before, **environment) as process:
            output, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, "")
        assert list((self.root / "tmp").iterdir()) == []
        return output


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Installation, bytes]:
    """An installation after its first call, and its archive."""
    made = Installation(tmp_path_factory.mktemp("installation"))
    fast = made.root / "model/decoding/fast"
    fast.mkdir(parents=True)
    (made.root / "model/serialization").mkdir()
    for name in ("__init__.py", "serialization/__init__.py", "serialization/files.py", "decoding/fast/__init__.py",
                 "decoding/fast/compilation.py"):  # fmt: skip
        shutil.copy(ROOT / "model" / name, made.root / "model" / name)
    (made.root / "model/decoding/__init__.py").touch()
    (fast / "inner.py").write_text(INNER)
    (fast / "outer.py").write_text(OUTER)
    for name in ("home", "tmp"):
        (made.root / name).mkdir()
    assert made.call() == COMPILED
    (archive,) = made.archives()
    assert archive.parent == made.beside
    return made, archive.read_bytes()


@pytest.fixture
def fresh(first: tuple[Installation, bytes]) -> Installation:
    """The same without an archive."""
    installation, _ = first
    for place in (installation.beside, installation.home):
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    installation.home.mkdir()
    return installation


@pytest.fixture
def archive(first: tuple[Installation, bytes], fresh: Installation) -> Path:
    """The archive of the first call, back in its place."""
    fresh.beside.mkdir()
    path = fresh.beside / archive_name(fresh)
    path.write_bytes(first[1])
    return path


def archive_name(installation: Installation) -> str:
    ask = "from model.decoding.fast import compilation; print(compilation._archive_paths()[0].name)"
    return subprocess.check_output([sys.executable, "-c", ask], cwd=installation.root, text=True).strip()


def flip_a_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_importing_writes_nothing(fresh: Installation) -> None:
    exit_early = "def before_call():\n    print(os.listdir(os.environ['TMPDIR']))\n    raise SystemExit\n"
    assert fresh.call(exit_early) == "[]\n"
    assert fresh.archives() == []


def test_the_second_process_compiles_nothing(fresh: Installation, archive: Path) -> None:
    assert fresh.call() == LOADED


@pytest.mark.parametrize("damage", [lambda _: b"", lambda content: content[:-200], lambda content: content[:10],
                                    lambda content: b"\0" * len(content), lambda _: b"another program's file",
                                    flip_a_bit], ids=["empty", "cut", "nearly empty", "zeros", "foreign", "one bit"])
def test_a_damaged_archive_is_replaced(damage: Callable[[bytes], bytes], fresh: Installation, archive: Path) -> None:
    archive.write_bytes(damage(archive.read_bytes()))
    assert fresh.call() == COMPILED
    assert fresh.call() == LOADED


def test_a_function_is_compiled_again_when_one_that_it_calls_has_changed(fresh: Installation, archive: Path) -> None:
    inner = fresh.beside.parent / "inner.py"
    try:
        inner.write_text(INNER.replace("x * x", "x * x * x"))
        assert fresh.call() == "0.0 2\n"
    finally:
        inner.write_text(INNER)


@pytest.mark.parametrize("stands", ["a file in place of the folder", "a folder in place of the file"])
def test_what_cannot_be_stored_beside_the_code_goes_to_the_users_folder(stands: str, fresh: Installation) -> None:
    if "folder in" in stands:
        (fresh.beside / archive_name(fresh) / "inside").mkdir(parents=True)
    else:
        fresh.beside.touch()
    assert fresh.call() == COMPILED
    assert all(path.is_relative_to(fresh.home / ".cache") for path in fresh.archives() if path.is_file())
    assert fresh.call() == LOADED


def test_the_archive_that_was_stored_last_is_taken(fresh: Installation, archive: Path) -> None:
    """One beside code that nobody may change any more can hold fewer functions than the user's."""
    empty = fresh.root / "empty.py"
    empty.write_text("from model.decoding.fast.compilation import _pack, _store_archive\n"
                     "_store_archive(_pack('tmp', []))\n")
    later = fresh.home / ".cache/align-translate" / archive.name
    later.parent.mkdir(parents=True)
    archive.rename(later)
    subprocess.run([sys.executable, empty], cwd=fresh.root, env={**os.environ, "PYTHONPATH": "."}, check=True)
    empty.unlink()
    os.utime(archive, (1, 1))
    assert fresh.call() == LOADED
    os.utime(later, (0, 0))
    assert fresh.call() == COMPILED


def test_without_any_folder_code_stays_in_memory(fresh: Installation) -> None:
    fresh.beside.touch()
    fresh.home.rmdir()
    fresh.home.touch()
    assert fresh.call() == fresh.call() == COMPILED


def test_without_a_home_code_is_kept_beside_the_sources(fresh: Installation) -> None:
    assert fresh.call(HOME=None) == COMPILED
    assert fresh.call(HOME=None) == LOADED


@pytest.mark.parametrize("archived", [True, False])
def test_a_disk_that_fills_up_stops_nothing(archived: bool, request: pytest.FixtureRequest,
                                            fresh: Installation) -> None:
    """Neither what numba writes has room, nor the archive, nor what is in it."""
    if archived:
        request.getfixturevalue("archive")
    assert fresh.call(FEW_BYTES).split()[0] == RESULT
    assert fresh.call() == (LOADED if archived else COMPILED)


def test_a_process_that_is_killed_while_it_writes_leaves_nothing_that_matters(fresh: Installation) -> None:
    with fresh.start(KILLED) as process:
        process.communicate(timeout=300)
    assert process.returncode == -9
    shutil.rmtree(fresh.root / "tmp")  # the system does that some day
    (fresh.root / "tmp").mkdir()
    assert fresh.archives() == []
    assert fresh.call() == COMPILED
    assert fresh.call() == LOADED


def test_several_processes_may_compile_at_once(fresh: Installation) -> None:
    processes = [fresh.start() for _ in range(3)]
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert (process.returncode, output.split()[0], errors) == (0, RESULT, "")
    assert fresh.call() == LOADED


def test_an_error_of_the_call_itself_is_raised() -> None:
    with pytest.raises(TypeError):
        training_kernels.maximum()


def test_the_sources_of_all_compiled_functions_count() -> None:
    """An archive is discarded when a file in `SOURCES` changes: functions elsewhere would go stale."""
    functions = [
        one
        for module in (training_kernels, search_kernels)
        for one in vars(module).values()
        if isinstance(one, CompiledFunction)
    ]
    assert len(functions) > 20
    assert {Path(one.dispatcher.py_func.__code__.co_filename).parent for one in functions} == {compilation.SOURCES}


@contextlib.contextmanager
def full(folder: Path) -> Iterator[None]:
    """A folder on a disk with next to no room."""
    folder.mkdir(exist_ok=True)
    done = shutil.which("mount") and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder],
                                                    capture_output=True, check=False)
    if not done or done.returncode:
        pytest.skip("no disk can be mounted here; that needs root on Linux")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def test_translations_go_on_with_a_full_disk_and_with_a_cut_archive(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    shutil.copytree(ROOT / "model", tmp_path / "model", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    environment = {**os.environ, "HOME": str(installation.home), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("XDG_CACHE_HOME", None)

    def translate() -> None:
        done = subprocess.run([sys.executable, "-m", "model", "translate"], cwd=tmp_path, input="The cat sleeps.\n",
                              text=True, capture_output=True, env=environment, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "Le chat dort.\n", "")

    with full(installation.beside):
        translate()
        # An archive of the first functions has room beside the code.
        (archive,) = installation.home.rglob("compiled-*.cache")
        os.truncate(archive, 200)
        translate()
        assert archive.stat().st_size > 200

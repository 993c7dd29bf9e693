"""Compiled code on disk: whatever its state, calls give the right result, and the next process finds it complete.

Each test starts processes. They run a copy of `model.decoding.fast.compilation` with two small compiled functions, one
of which calls the other, and print the result and the number of functions that numba compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from model.decoding.fast import compilation, search_kernels, training_kernels
from model.decoding.fast.compilation import CompiledFunction
from model.paths import ROOT

INNER_SOURCE = """
from model.decoding.fast.compilation import jit

@jit
def square(x):
    return x * x
"""
OUTER_SOURCE = """
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
from model.decoding.fast.outer import add_squares, square
before_call()
from numba.core import event
total = np.zeros(1)
with event.install_recorder("numba:compile") as compiled:
    add_squares(np.array([1.0, -1.0, 2.0, -2.0]), total)
print(total[0], sum(one.is_start for _, one in compiled.buffer))
"""
COMPILED, LOADED = "10.0 2\n", "10.0 0\n"
DO_NOTHING = "def before_call(): pass\n"
FILL_DISK = """
def before_call():
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # writing a longer file fails, as on a full disk
"""
KILL_WHILE_WRITING = """
def before_call():
    os.fsync = lambda _: os.kill(os.getpid(), 9)  # the archive is written, but not renamed yet
"""

FREEZE_OUTPUT = """
def before_call():
    import sys
    import types
    class FrozenSys(types.ModuleType):
        def __setattr__(self, name, value):
            assert name not in ("stdout", "stderr")
            super().__setattr__(name, value)
    sys.__class__ = FrozenSys
"""


@dataclass
class Installation:
    """A folder with the code, a home, and a folder for temporary files."""

    root: Path
    archive_name: str = ""
    archive_content: bytes = b""

    @property
    def cache_folder(self) -> Path:
        return self.root / "model/decoding/fast/__pycache__"

    @property
    def home(self) -> Path:
        return self.root / "home"

    def list_archives(self) -> list[Path]:
        return sorted(self.root.rglob("compiled-*.cache"))

    def start(self, before_call: str = DO_NOTHING) -> subprocess.Popen[str]:
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("XDG_CACHE_HOME", "LOCALAPPDATA", "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING")}
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "HOME": str(self.home), "TMPDIR": str(self.root / "tmp")}
        return subprocess.Popen([sys.executable, "-c", before_call + CALL], cwd=self.root, text=True, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def call(self, before_call: str = DO_NOTHING) -> str:
        with self.start(before_call) as process:
            output, errors = process.communicate(timeout=300)
        assert (process.returncode, errors) == (0, "")
        assert list((self.root / "tmp").iterdir()) == []
        return output


@pytest.fixture(scope="module")
def used_installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an installation after its first call, with the archive that the call stored."""
    installation = Installation(tmp_path_factory.mktemp("installation"))
    for name in ("__init__.py", "serialization/__init__.py", "serialization/files.py", "decoding/fast/__init__.py",
                 "decoding/fast/compilation.py"):
        (installation.root / "model" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "model" / name, installation.root / "model" / name)
    fast = installation.root / "model/decoding/fast"
    (fast.parent / "__init__.py").touch()
    (fast / "inner.py").write_text(INNER_SOURCE)
    (fast / "outer.py").write_text(OUTER_SOURCE)
    installation.home.mkdir()
    (installation.root / "tmp").mkdir()
    assert installation.call() == COMPILED
    (archive,) = installation.list_archives()
    assert archive.parent == installation.cache_folder
    installation.archive_name, installation.archive_content = archive.name, archive.read_bytes()
    return installation


@pytest.fixture
def installation(used_installation: Installation) -> Installation:
    """Return the installation without an archive."""
    for path in (used_installation.cache_folder, used_installation.home):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    used_installation.home.mkdir()
    return used_installation


@pytest.fixture
def archive(installation: Installation) -> Path:
    """Return the archive of the first call, put back in its place."""
    installation.cache_folder.mkdir()
    path = installation.cache_folder / installation.archive_name
    path.write_bytes(installation.archive_content)
    return path


def flip_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_compiling_leaves_the_output_of_other_threads_alone(installation: Installation) -> None:
    assert installation.call(FREEZE_OUTPUT) == COMPILED


def test_next_process_compiles_nothing_unless_a_called_function_has_changed(
    installation: Installation, archive: Path
) -> None:
    assert installation.call() == LOADED
    inner_path = installation.cache_folder.parent / "inner.py"
    try:
        inner_path.write_text(INNER_SOURCE.replace("x * x", "x * x * x"))
        assert installation.call() == "0.0 2\n"
    finally:
        inner_path.write_text(INNER_SOURCE)


@pytest.mark.parametrize("damage", [lambda content: content[:10], flip_bit], ids=["cut", "one bit"])
def test_damaged_archive_is_replaced(damage: Callable[[bytes], bytes], installation: Installation,
                                     archive: Path) -> None:
    archive.write_bytes(damage(archive.read_bytes()))
    assert installation.call() == COMPILED
    assert archive.read_bytes() != damage(installation.archive_content)
    assert installation.call() == LOADED


def test_archive_goes_to_the_user_cache_if_it_cannot_be_beside_the_code(installation: Installation) -> None:
    installation.cache_folder.touch()
    assert installation.call() == COMPILED
    (archive,) = installation.list_archives()
    assert archive.is_relative_to(installation.home / ".cache")
    assert installation.call() == LOADED


def test_without_a_writable_folder_code_stays_in_memory(installation: Installation) -> None:
    installation.cache_folder.touch()
    installation.home.rmdir()
    installation.home.touch()
    assert installation.call() == installation.call() == COMPILED


def test_full_disk_stops_no_call(installation: Installation) -> None:
    """There is no room for numba's files nor for the archive."""
    assert installation.call(FILL_DISK).split()[0] == "10.0"
    assert installation.call() == COMPILED


def test_process_killed_while_writing_leaves_no_archive(installation: Installation) -> None:
    with installation.start(KILL_WHILE_WRITING) as process:
        process.communicate(timeout=300)
    assert process.returncode == -9
    shutil.rmtree(installation.root / "tmp")  # left to the system
    (installation.root / "tmp").mkdir()
    assert installation.list_archives() == []
    assert installation.call() == COMPILED


def test_several_processes_may_compile_at_once(installation: Installation) -> None:
    processes = [installation.start() for _ in range(2)]
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert (process.returncode, output.split()[0], errors) == (0, "10.0", "")
    assert installation.call() == LOADED


def test_error_of_a_call_is_raised() -> None:
    with pytest.raises(TypeError):
        training_kernels.maximum()


def test_all_compiled_functions_are_in_the_sources_that_discard_the_archive() -> None:
    functions = [value for module in (training_kernels, search_kernels) for value in vars(module).values()
                 if isinstance(value, CompiledFunction)]
    assert len(functions) > 20
    assert {Path(function.dispatcher.py_func.__code__.co_filename).parent for function in functions} == {
        compilation.SOURCE_FOLDER}

"""Java that is held at its very start, so that a test need not hurry to be there before it ends."""

import os
import sys
from pathlib import Path


def variables(barrier: Path) -> dict[str, str]:
    """Return variables with which Java makes this file and comes no further while it is there.

    The runtime is the wheel's: another would be tried out before, and held at that.
    """
    hold = f"-XX:+UnlockDiagnosticVMOptions -XX:+PauseAtStartup -XX:PauseAtStartupFile={barrier}"
    return {
        "JDK_JAVA_OPTIONS": f"{os.environ['JDK_JAVA_OPTIONS']} {hold}",
        "PATH": str(Path(sys.executable).parent),
        "JAVA_HOME": "",
    }

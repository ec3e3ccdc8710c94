from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field


@dataclass
class Lease:
    """A job that one worker holds until `deadline_ms`."""

    job_id: str
    deadline_ms: int
    attempts: int = 0
    errors: list[str] = field(default_factory=list)

    def is_expired(self, now_ms: int) -> bool:
        return now_ms >= self.deadline_ms


def main(argv: list[str]) -> int:
    leases = {}
    for path in argv[1:]:
        with open(path, encoding="utf-8") as handle:
            for number, line in enumerate(handle, start=1):
                try:
                    row = json.loads(line)
                except ValueError as error:
                    print(f"{path}:{number}: {error}", file=sys.stderr)
                    continue
                leases[row["id"]] = Lease(row["id"], row["deadline_ms"])
    expired = [lease for lease in leases.values() if lease.is_expired(1_780_000_000_000)]
    print(json.dumps([lease.job_id for lease in expired], indent=2))
    return 0 if not expired else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv))

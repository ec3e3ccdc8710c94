"""Uses the client as it was installed into a folder. Usage: use_client.py FOLDER URL TOKEN PROJECT"""

import sys

folder, url, token, project = sys.argv[1:]
sys.path.insert(0, folder)

from acreta_client import AcretaError, Client  # noqa: E402

ID = "01J000000000000000000A0003"
client = Client(token, url)
calls = 0


def called(value):
    global calls
    calls += 1
    return value


assert called(client.health())["status"] == "ok"
assert len(called(client.list_memories(limit=3, stale=False, type="learning"))["memories"]) == 3
memory = called(client.get_memory(ID, project_root=project))
assert memory["evidence"]["contributions"][0]["evidence"][0]["quote"]
assert called(client.edit_memory(ID, expected_digest=memory["digest"], title="Näher & <b>"))["changed"]
assert called(client.confirm_memory(ID))["id"] == ID
assert called(client.search(q="queue & co"))["hits"]
assert called(client.explore(project_root=project, budget=500))["command"]
events = client.events(last_event_id="0-0")
accepted = called(client.with_request_id("from-python-1").maintain())
assert accepted["request_id"] == "from-python-1" and accepted["state"] == "accepted", accepted
job = accepted["job_id"]
for event in events:
    if event["kind"] == "job" and event["name"] == "completed":
        break
events.close()
assert called(client.get_job(job))["state"] == "completed"

failures = [
    (lambda: client.edit_memory(ID, expected_digest="old"), 409, "changed-meanwhile"),
    (lambda: client.get_memory("a/b?c#d"), 404, "not-found"),
    (lambda: client.overview(project_root="/etc"), 403, "project-not-registered"),
    (lambda: Client("wrong", url).status(), 401, "unauthorised"),
]
for call, status, code in failures:
    try:
        call()
        raise SystemExit(f"{code}: no failure")
    except AcretaError as error:
        assert (error.status, error.code) == (status, code), (error.status, error.code)
        assert error.request_id and error.message
        calls += 1
print(f"python client: {calls} calls")

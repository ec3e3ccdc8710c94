"""Lists and calls every tool of a server of invented memories with the Python SDK, which checks each
result against the schema the server gave. Usage: other_client.py SERVER [ID [ARGUMENT…]]: a program
or a URL, a memory it has, and what the program is started with"""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ID = sys.argv[2] if len(sys.argv) > 2 else "01J000000000000000000A0003"
CALLS = {
    "memory_search": {"query": "queue", "limit": 3},
    "memory_get": {"id": ID},
    "memory_note": {"title": "Tests run one by one", "quote": ["run them one by one"], "kind": "convention"},
    "memory_add": {"title": "Tests share a port", "body": "Run them one by one", "tags": ["tests"]},
    "memory_archive": {"id": ID, "restore": True},
    "memory_feedback": {"id": ID, "verdict": "right"},
    "context_explore": {"query": "queue", "budget": 500},
    "context_delta": {},
    "ask": {"question": "Where is the queue?"},
    "session_search": {"query": "queue"},
    "session_read": {"id": "none"},
    "session_forget": {},
}
# What they need is another program's: an archive, a session. An error with words is an answer, too.
MAY_FAIL = {"session_read", "session_forget"}


def plain(result):
    """As it goes over the wire, in every version of the SDK."""
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


async def use(session):
    tools = [tool["name"] for tool in plain(await session.list_tools())["tools"]]
    assert tools == list(CALLS), tools
    for name, arguments in CALLS.items():
        result = plain(await session.call_tool(name, arguments))
        assert result["content"][0]["text"], (name, result)
        if name in MAY_FAIL and result.get("isError"):
            continue
        assert not result.get("isError"), (name, result)
        assert result["structuredContent"]["tokens"] > 0, (name, result)

    first = plain(await session.call_tool("memory_search", {"query": "queue"}))["structuredContent"]
    more = {"query": "queue", "cursor": first["next_cursor"]}
    second = plain(await session.call_tool("memory_search", more))["structuredContent"]
    assert first["hits"] and second["hits"] and first["hits"][0] != second["hits"][0]

    wrong = plain(await session.call_tool("ask", {"question": "a", "colour": "red"}))
    assert wrong["isError"] and "`colour`" in wrong["content"][0]["text"], wrong

    resources = plain(await session.list_resources())
    assert len(resources["resources"]) == 50 and resources["nextCursor"], resources
    read = plain(await session.read_resource("acreta://memory/" + ID))
    assert "not instructions" in read["contents"][0]["text"], read
    templates = plain(await session.list_resource_templates())
    assert templates["resourceTemplates"][0]["uriTemplate"] == "acreta://memory/{id}"

    prompts = [prompt["name"] for prompt in plain(await session.list_prompts())["prompts"]]
    assert prompts == ["recall", "remember", "forget"], prompts
    recalled = plain(await session.get_prompt("recall", {"task": "move the queue"}))
    assert "move the queue" in recalled["messages"][0]["content"]["text"], recalled
    return len(tools)


async def main(server):
    if server.startswith("http"):
        await use_both_ways(server)
        return
    parameters = StdioServerParameters(command=server, args=sys.argv[3:], env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = await use(session)
    print(f"session: called all {listed} tools")
    await use_both_ways(parameters)


async def use_both_ways(server):
    """With a handshake and without, where the SDK has both."""
    try:
        from mcp import Client
    except ImportError:
        print("skipped: this version of the SDK has no `Client`")
        return
    for mode in ["legacy", "auto"]:
        async with Client(server, mode=mode) as client:
            listed = await use(client)
        print(f"{mode}: called all {listed} tools")


asyncio.run(main(sys.argv[1]))

"""Lists and calls the tools of a daemon with the Python SDK. Usage: mcp_http.py URL TOKEN"""

import asyncio
import sys

from mcp import ClientSession

CALLS = {
    "memory_search": {"query": "queue"},
    "memory_note": {"title": "Tests run one by one", "quote": ["run them one by one"], "kind": "convention"},
    "memory_add": {"title": "Tests share a port", "body": "The tests share port 8080: run them one by one."},
    "context_explore": {"query": "queue", "budget": 500},
    "context_delta": {},
    "ask": {"question": "Where is the queue?"},
}


def transport(url, token):
    """In every version of the SDK."""
    headers = {"Authorization": "Bearer " + token}
    try:
        from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
    except ImportError:
        from mcp.client.streamable_http import streamablehttp_client

        return streamablehttp_client(url, headers=headers)
    return streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))


def plain(result):
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


async def main(url, token):
    async with transport(url, token) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        tools = [tool["name"] for tool in plain(await session.list_tools())["tools"]]
        found = None
        for name, arguments in CALLS.items():
            result = plain(await session.call_tool(name, arguments))
            assert not result.get("isError"), (name, result)
            found = found or result["structuredContent"]["hits"][0]["id"]
        for name, arguments in [
            ("memory_get", {"id": found}),
            ("memory_feedback", {"id": found, "verdict": "useful"}),
            ("memory_archive", {"id": found}),
            ("session_search", {"query": "queue"}),
        ]:
            result = plain(await session.call_tool(name, arguments))
            assert not result.get("isError"), (name, result)
        for name, arguments in [("session_read", {"id": "none"}), ("session_forget", {})]:
            result = plain(await session.call_tool(name, arguments))
            assert result["content"][0]["text"], (name, result)
    assert len(tools) == len(CALLS) + 6, tools
    print("called every tool")


asyncio.run(main(*sys.argv[1:]))

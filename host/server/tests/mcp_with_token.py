"""Runs a script whose HTTP requests carry no token with one. Usage: mcp_with_token.py SCRIPT URL TOKEN"""

import runpy
import sys

try:
    import httpx2 as httpx
except ImportError:
    import httpx

script, url, token = sys.argv[1:]
build = httpx.AsyncClient.build_request


def build_request(self, *arguments, **named):
    request = build(self, *arguments, **named)
    request.headers["Authorization"] = f"Bearer {token}"
    return request


httpx.AsyncClient.build_request = build_request
sys.argv = [script, url]
runpy.run_path(script, run_name="__main__")

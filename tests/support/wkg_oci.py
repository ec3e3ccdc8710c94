"""Pushes and pulls a component as `wkg oci push` and `wkg oci pull` do, by the distribution protocol.

    wkg_oci.py push REGISTRY NAME TAG FILE [USER:PASSWORD]
    wkg_oci.py pull REGISTRY NAME TAG FILE [USER:PASSWORD]

The artifact has a config of the type `application/vnd.wasm.config.v0+json` and one layer `application/wasm`; a pull fails
for anything else, as it does there.
"""

import base64
import hashlib
import json
import os
import sys
from datetime import datetime, timezone
from urllib.request import Request, urlopen

CONFIG = "application/vnd.wasm.config.v0+json"
LAYER = "application/wasm"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Registry:
    def __init__(self, place: str, name: str, login: str | None) -> None:
        self.base = f"http://{place}/v2/{name}"
        self.login = login

    def send(self, method: str, url: str, data: bytes | None = None, **headers: str):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.login:
            names["authorization"] = "Basic " + base64.b64encode(self.login.encode()).decode()
        return urlopen(Request(url, data=data, method=method, headers=names))

    def upload(self, data: bytes) -> None:
        location = self.send("POST", f"{self.base}/blobs/uploads/", b"").headers["location"]
        join = "&" if "?" in location else "?"
        url = f"{location}{join}digest={digest(data)}"
        self.send("PUT", url, data, content_type="application/octet-stream")

    def push(self, tag: str, component: bytes, title: str) -> None:
        config = json.dumps(
            {
                "created": datetime.now(timezone.utc).isoformat(),
                "author": None,
                "architecture": "wasm",
                "os": "wasip2",
                "layerDigests": [digest(component)],
                "component": {"exports": [], "imports": [], "target": None},
            }
        ).encode()
        for blob in (config, component):
            self.upload(blob)
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": {"mediaType": CONFIG, "digest": digest(config), "size": len(config)},
            "layers": [
                {
                    "mediaType": LAYER,
                    "digest": digest(component),
                    "size": len(component),
                    "annotations": {"org.opencontainers.image.title": title},
                }
            ],
        }
        url = f"{self.base}/manifests/{tag}"
        self.send("PUT", url, json.dumps(manifest).encode(), content_type=MANIFEST)

    def pull(self, tag: str) -> bytes:
        url = f"{self.base}/manifests/{tag}"
        manifest = json.load(self.send("GET", url, accept=MANIFEST))
        assert manifest["mediaType"] == MANIFEST, manifest
        assert manifest["config"]["mediaType"] == CONFIG, manifest
        (layer,) = manifest["layers"]
        assert layer["mediaType"] == LAYER, layer
        config = json.load(self.send("GET", f"{self.base}/blobs/{manifest['config']['digest']}"))
        datetime.fromisoformat(config["created"].replace("Z", "+00:00"))
        assert (config["architecture"], config["os"]) == ("wasm", "wasip2"), config
        assert config["layerDigests"] == [layer["digest"]], config
        assert {"exports", "imports"} <= set(config["component"]), config
        component = self.send("GET", f"{self.base}/blobs/{layer['digest']}").read()
        assert digest(component) == layer["digest"]
        return component


if __name__ == "__main__":
    verb, place, name, tag, file = sys.argv[1:6]
    registry = Registry(place, name, sys.argv[6] if len(sys.argv) > 6 else None)
    if verb == "push":
        with open(file, "rb") as component:
            registry.push(tag, component.read(), os.path.basename(file))
    else:
        with open(file, "wb") as component:
            component.write(registry.pull(tag))

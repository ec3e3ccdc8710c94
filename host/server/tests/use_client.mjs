// Uses the client as it was installed beside this file. Usage: use_client.mjs URL TOKEN PROJECT

import assert from "node:assert/strict";
import { AcretaError, Client } from "acreta-client";

const [url, token, project] = process.argv.slice(2);

const ID = "01J000000000000000000A0003";
const client = new Client(token, url);
let calls = 0;
const called = async (promise) => {
  calls += 1;
  return promise;
};

assert.equal((await called(client.health())).status, "ok");
assert.equal((await called(client.listMemories({ limit: 3, stale: false }))).memories.length, 3);
const memory = await called(client.getMemory(ID, { project_root: project }));
assert.ok(memory.evidence.contributions[0].evidence[0].quote);
const edit = { expected_digest: memory.digest, title: "Näher & <b>" };
assert.equal((await called(client.editMemory(ID, edit))).changed, true);
assert.equal((await called(client.confirmMemory(ID))).id, ID);
assert.ok((await called(client.search({ q: "queue & co" }))).hits.length > 0);
const stop = new AbortController();
const events = client.events({}, "0-0", stop.signal);
const first = events.next();
const { job_id: job, request_id } = await called(client.withRequestId("from-node-1").maintain());
assert.equal(request_id, "from-node-1");
for (let event = await first; event.value.name !== "completed"; event = await events.next());
await events.return(undefined);
assert.equal((await called(client.getJob(job))).state, "completed");

const failures = [
  [() => client.editMemory(ID, { expected_digest: "old" }), 409, "changed-meanwhile"],
  [() => client.getMemory("a/b?c#d"), 404, "not-found"],
  [() => client.overview({ project_root: "/etc" }), 403, "project-not-registered"],
  [() => new Client("wrong", url).status(), 401, "unauthorised"],
];
for (const [call, status, code] of failures) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof AcretaError);
    assert.deepEqual([error.status, error.problem.code], [status, code]);
    return error.requestId !== "";
  });
  calls += 1;
}
console.log(`typescript client: ${calls} calls`);

// A client of acreta's HTTP API. Generated from docs/openapi.json; needs nothing but `fetch`.
//
//   import { Client } from "acreta-client";
//   const client = new Client(token);
//   const { hits } = await client.search({ q: "queue" });

export class AcretaError extends Error {
  constructor(status, problem, requestId) {
    super(problem.message);
    this.name = "AcretaError";
    this.status = status;
    this.problem = problem;
    this.requestId = requestId;
  }
}

async function failure(response) {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return new AcretaError(response.status, body.error, body.request_id);
  } catch {
    const message = `the server answered ${response.status}`;
    const problem = { code: "failed", message, causes: [], hints: [] };
    return new AcretaError(response.status, problem, "");
  }
}

export class Client {
  #token;
  #baseUrl;
  #requestId;

  constructor(token, baseUrl = "http://127.0.0.1:8765", requestId = undefined) {
    this.#token = token;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#requestId = requestId;
  }

  withRequestId(requestId) {
    return new Client(this.#token, this.#baseUrl, requestId);
  }

  async #open(method, path, fields, headers, signal) {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    // The token must reach no other server.
    const init = { method, headers: { authorization: `Bearer ${this.#token}`, ...headers }, redirect: "error" };
    if (signal !== undefined) init.signal = signal;
    if (this.#requestId !== undefined) init.headers["x-request-id"] = this.#requestId;
    let url = this.#baseUrl + path;
    if (method === "GET") {
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      url += given.length > 0 ? `?${query}` : "";
    } else {
      init.headers["content-type"] = "application/json";
      init.body = JSON.stringify(Object.fromEntries(given));
    }
    const response = await fetch(url, init);
    if (!response.ok) throw await failure(response);
    return response;
  }

  async #call(method, path, fields) {
    const response = await this.#open(method, path, fields, {}, undefined);
    return response.json();
  }

  async *#stream(path, fields, lastEventId, signal) {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await this.#open("GET", path, fields, headers, signal);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let waiting = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        waiting += decoder.decode(value, { stream: true });
        const lines = waiting.split("\n");
        waiting = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
        }
      }
    } finally {
      await reader.cancel();
    }
  }

  health() {
    return this.#call("GET", `/api/health`, {});
  }

  status(fields = {}) {
    return this.#call("GET", `/api/status`, fields);
  }

  openapi() {
    return this.#call("GET", `/api/openapi.json`, {});
  }

  overview(fields = {}) {
    return this.#call("GET", `/api/overview`, fields);
  }

  home(fields = {}) {
    return this.#call("GET", `/api/home`, fields);
  }

  timeline(fields = {}) {
    return this.#call("GET", `/api/timeline`, fields);
  }

  events(fields = {}, lastEventId, signal) {
    return this.#stream(`/api/events`, fields, lastEventId, signal);
  }

  loginCode() {
    return this.#call("POST", `/api/login/code`, {});
  }

  loginCodes() {
    return this.#call("GET", `/api/login/codes`, {});
  }

  login(fields = {}) {
    return this.#call("POST", `/api/login`, fields);
  }

  logout() {
    return this.#call("POST", `/api/logout`, {});
  }

  sync(fields = {}) {
    return this.#call("POST", `/api/sync`, fields);
  }

  maintain(fields = {}) {
    return this.#call("POST", `/api/maintain`, fields);
  }

  listJobs() {
    return this.#call("GET", `/api/jobs`, {});
  }

  getJob(id) {
    return this.#call("GET", `/api/jobs/${encodeURIComponent(id)}`, {});
  }

  cancelJob(id) {
    return this.#call("POST", `/api/jobs/${encodeURIComponent(id)}/cancel`, {});
  }

  listMemories(fields = {}) {
    return this.#call("GET", `/api/memories`, fields);
  }

  addMemory(fields = {}) {
    return this.#call("POST", `/api/memories`, fields);
  }

  getMemory(id, fields = {}) {
    return this.#call("GET", `/api/memories/${encodeURIComponent(id)}`, fields);
  }

  editMemory(id, fields = {}) {
    return this.#call("PUT", `/api/memories/${encodeURIComponent(id)}`, fields);
  }

  memoryProvenance(id, fields = {}) {
    return this.#call("GET", `/api/memories/${encodeURIComponent(id)}/provenance`, fields);
  }

  confirmMemory(id, fields = {}) {
    return this.#call("POST", `/api/memories/${encodeURIComponent(id)}/confirm`, fields);
  }

  rejectMemory(id, fields = {}) {
    return this.#call("POST", `/api/memories/${encodeURIComponent(id)}/reject`, fields);
  }

  archiveMemory(id, fields = {}) {
    return this.#call("POST", `/api/memories/${encodeURIComponent(id)}/archive`, fields);
  }

  restoreMemory(id, fields = {}) {
    return this.#call("POST", `/api/memories/${encodeURIComponent(id)}/restore`, fields);
  }

  acceptProposal(id, fields = {}) {
    return this.#call("POST", `/api/memories/${encodeURIComponent(id)}/accept`, fields);
  }

  listReview(fields = {}) {
    return this.#call("GET", `/api/review`, fields);
  }

  decideReview(fields = {}) {
    return this.#call("POST", `/api/review`, fields);
  }

  getReviewItem(id, fields = {}) {
    return this.#call("GET", `/api/review/${encodeURIComponent(id)}`, fields);
  }

  undoReview(fields = {}) {
    return this.#call("POST", `/api/review/undo`, fields);
  }

  search(fields = {}) {
    return this.#call("GET", `/api/search`, fields);
  }

  ask(fields = {}) {
    return this.#call("POST", `/api/ask`, fields);
  }

  listConnections() {
    return this.#call("GET", `/api/connect`, {});
  }

  connect(fields = {}) {
    return this.#call("POST", `/api/connect`, fields);
  }

  disconnect(agent) {
    return this.#call("POST", `/api/connect/${encodeURIComponent(agent)}/remove`, {});
  }

  listProjects() {
    return this.#call("GET", `/api/project/list`, {});
  }

  addProject(fields = {}) {
    return this.#call("POST", `/api/project/add`, fields);
  }

  removeProject(fields = {}) {
    return this.#call("POST", `/api/project/remove`, fields);
  }

  trustProject(fields = {}) {
    return this.#call("POST", `/api/project/trust`, fields);
  }

  listExcluded() {
    return this.#call("GET", `/api/exclude`, {});
  }

  exclude(fields = {}) {
    return this.#call("POST", `/api/exclude`, fields);
  }

  include(fields = {}) {
    return this.#call("POST", `/api/exclude/remove`, fields);
  }

  listPlugins() {
    return this.#call("GET", `/api/plugins`, {});
  }

  getModel() {
    return this.#call("GET", `/api/model`, {});
  }

  chooseModel(fields = {}) {
    return this.#call("POST", `/api/model`, fields);
  }

  testModel() {
    return this.#call("POST", `/api/model/test`, {});
  }

  listSettings(fields = {}) {
    return this.#call("GET", `/api/settings`, fields);
  }

  setSetting(fields = {}) {
    return this.#call("POST", `/api/settings`, fields);
  }

  listBriefs(fields = {}) {
    return this.#call("GET", `/api/briefs`, fields);
  }

  listRuns(fields = {}) {
    return this.#call("GET", `/api/runs`, fields);
  }

  getRun(id) {
    return this.#call("GET", `/api/runs/${encodeURIComponent(id)}`, {});
  }

  listQueue(fields = {}) {
    return this.#call("GET", `/api/queue`, fields);
  }

  retryQueued(id) {
    return this.#call("POST", `/api/queue/${encodeURIComponent(id)}/retry`, {});
  }

  skipQueued(id) {
    return this.#call("POST", `/api/queue/${encodeURIComponent(id)}/skip`, {});
  }

  cancelQueued(id) {
    return this.#call("POST", `/api/queue/${encodeURIComponent(id)}/cancel`, {});
  }

  listSessions(fields = {}) {
    return this.#call("GET", `/api/sessions`, fields);
  }

  searchSessions(fields = {}) {
    return this.#call("GET", `/api/sessions/search`, fields);
  }

  getSession(agent, id) {
    return this.#call("GET", `/api/sessions/${encodeURIComponent(agent)}/${encodeURIComponent(id)}`, {});
  }

  sessionEvents(agent, id, fields = {}) {
    return this.#call("GET", `/api/sessions/${encodeURIComponent(agent)}/${encodeURIComponent(id)}/events`, fields);
  }

  explore(fields = {}) {
    return this.#call("POST", `/v1/explore`, fields);
  }

  delta(fields = {}) {
    return this.#call("POST", `/v1/delta`, fields);
  }

  context(fields = {}) {
    return this.#call("POST", `/v1/context`, fields);
  }

  refresh(fields = {}) {
    return this.#call("POST", `/v1/refresh`, fields);
  }
}

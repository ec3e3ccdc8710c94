// The server's answers. Every call goes to this origin with this browser's token; every failure is an `ApiError` that
// carries what the server said: message, causes, hints, request id. The token lies in the storage of this origin: a
// cookie would go to every port of this host, whoever listens there.

import { read, write } from "./state.js";

const TOKEN = "acreta.token";

class ApiError extends Error {
  constructor(status, body, fallback) {
    const error = body?.error ?? {};
    super(error.message ?? fallback);
    this.status = status;
    this.code = error.code ?? "";
    this.causes = error.causes ?? [];
    this.hints = error.hints ?? [];
    this.requestId = body?.request_id ?? "";
  }
}

let signedOut = () => {};

/** Who is told when the server wants a login. */
export function onSignedOut(listener) {
  signedOut = listener;
}

export function get(path, params = {}, options = {}) {
  return call("GET", withParams(path, params), undefined, options);
}

export function post(path, body = {}, options = {}) {
  return call("POST", path, body, options);
}

export function put(path, body, options = {}) {
  return call("PUT", path, body, options);
}

/** One segment of a path, whatever is in it. */
export const segment = (value) => encodeURIComponent(String(value));

export function withParams(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Trades a one-time code for the token of this browser. */
export async function logIn(code) {
  const { token } = await post("/api/login", { code }, { isLogin: true });
  write(TOKEN, token);
}

/** A null says the same as a field that is not there. */
const parsed = (text) => JSON.parse(text, (_, value) => value ?? undefined);

/** Asks this origin, with the token. */
export function ask(path, { headers, ...request }) {
  const token = read(TOKEN);
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  const always = { credentials: "omit", cache: "no-store", redirect: "error" };
  return fetch(path, { ...request, ...always, headers: { ...headers, ...authorization } });
}

async function call(method, path, body, options) {
  const request = { method, signal: options.signal, headers: { accept: "application/json" } };
  if (body !== undefined) {
    request.headers["content-type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await ask(path, request);
  } catch (cause) {
    if (cause?.name === "AbortError") throw cause;
    throw new ApiError(0, {
      error: { code: "unreachable", message: "The server does not answer", hints: ["is `acreta serve` running?"] },
    });
  }
  let answer;
  try {
    answer = response.status === 204 ? undefined : parsed(await response.text());
  } catch (cause) {
    if (cause?.name === "AbortError") throw cause;
    if (response.ok) throw new ApiError(response.status, undefined, "The server's answer could not be read");
  }
  if (response.status === 401 && !options.isLogin) {
    write(TOKEN, undefined);
    signedOut();
  }
  if (!response.ok) throw new ApiError(response.status, answer, `The server answered ${response.status}`);
  return answer;
}

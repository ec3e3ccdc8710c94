// Brings the project's memory into a session, and tells acreta when a turn is over.
// `acreta init --undo` takes this file away. Whatever fails here, the session goes on.
import { spawn } from "node:child_process"

const ACRETA = "@BINARY@"
const WAIT_MS = 5000
const MOST_SESSIONS = 200

function hook(event, directory, sessionID) {
  return new Promise((resolve) => {
    let text = ""
    try {
      const child = spawn(ACRETA, ["hook", event, "--agent", "@AGENT@"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: WAIT_MS,
        windowsHide: true,
      })
      child.on("error", () => resolve(""))
      child.on("close", (code) => resolve(code === 0 ? text.trim() : ""))
      child.stdout.on("data", (part) => (text += part))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: sessionID, cwd: directory }))
    } catch {
      resolve("")
    }
  })
}

// Requests for a title or a summary belong to the session, too, but nobody works in them.
const ASIDE = /^\s*You are a (title generator|context summarization agent)/
const isAside = (system) => system.some((part) => ASIDE.test(typeof part === "string" ? part : part?.text ?? ""))

// One brief a session, the same in every request of it.
function briefs(directory) {
  const known = new Map()
  return (sessionID) => {
    if (!sessionID) return ""
    if (!known.has(sessionID)) {
      if (known.size >= MOST_SESSIONS) known.delete(known.keys().next().value)
      known.set(sessionID, hook("session-start", directory, sessionID))
    }
    return known.get(sessionID)
  }
}

export default {
  id: "acreta",

  // OpenCode 1
  async server({ directory }) {
    const brief = briefs(directory)
    return {
      event: async ({ event }) => {
        if (event.type === "session.idle") await hook("session-end", directory, event.properties.sessionID)
      },
      "experimental.chat.system.transform": async (input, output) => {
        if (isAside(output.system)) return
        const text = await brief(input.sessionID)
        if (text) output.system.push(text)
      },
    }
  },

  // OpenCode 2
  async setup(ctx) {
    try {
      const directory = ctx.location.directory
      const brief = briefs(directory)
      await ctx.session.hook("context", async (event) => {
        if (isAside(event.system)) return
        const text = await brief(event.sessionID)
        if (text) event.system.push({ type: "text", text })
      })
      const ends = new Set(["succeeded", "failed", "interrupted"].map((how) => `session.execution.${how}`))
      const abort = new AbortController()
      const listen = async () => {
        for await (const event of ctx.event.subscribe({ signal: abort.signal })) {
          if (ends.has(event.type)) await hook("session-end", directory, event.data.sessionID)
        }
      }
      listen().catch(() => {})
      return () => abort.abort()
    } catch {
      return undefined
    }
  },
}

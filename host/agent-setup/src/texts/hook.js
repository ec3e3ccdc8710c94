// Brings the project's memory into a session: at its start, at a prompt, before an edit and after a command that failed.
// Tells acreta when a turn is over.
// `acreta init --undo` takes this file away. Whatever fails here, the session goes on.
import { spawn } from "node:child_process"

const ACRETA = "@BINARY@"
const WAIT_MS = 5000
// acreta ends by itself after 200 ms, or after what the variable says; this is for one that does not.
const MOMENT_WAIT_MS = 1000 + (Number(process.env.ACRETA_HOOK_WAIT_MS) || 0)

function hook(event, directory, sessionID, more = {}, wait = WAIT_MS) {
  return new Promise((resolve) => {
    let text = ""
    try {
      const child = spawn(ACRETA, ["hook", event, "--agent", "@AGENT@"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: wait,
        windowsHide: true,
      })
      child.on("error", () => resolve(""))
      child.on("close", (code) => resolve(code === 0 ? text.trim() : ""))
      child.stdout.on("data", (part) => (text += part))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: sessionID, cwd: directory, ...more }))
    } catch {
      resolve("")
    }
  })
}

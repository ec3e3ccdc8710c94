
const EDITORS = new Set(["edit", "write"])
const SHELLS = new Set(["bash", "powershell"])
const KIND = "acreta"

export default function (pi) {
  const at = (ctx) => [ctx.cwd, ctx.sessionManager.getSessionId()]
  const briefed = new Set()

  pi.on("before_agent_start", async (event, ctx) => {
    const [directory, sessionID] = at(ctx)
    // A session that goes on has its brief already.
    const isBriefed = briefed.has(sessionID) || ctx.sessionManager.getEntries().some((entry) => entry.customType === KIND)
    briefed.add(sessionID)
    const brief = isBriefed ? "" : await hook("session-start", directory, sessionID)
    const told = await hook("prompt", directory, sessionID, { prompt: event.prompt }, MOMENT_WAIT_MS)
    const content = [brief, told].filter(Boolean).join("\n\n")
    if (content) return { message: { customType: KIND, content, display: false } }
  })

  pi.on("tool_result", async (event, ctx) => {
    const [directory, sessionID] = at(ctx)
    const ask = (name, more) =>
      hook(name, directory, sessionID, { tool_name: event.toolName, tool_input: event.input, ...more }, MOMENT_WAIT_MS)
    let told = ""
    if (SHELLS.has(event.toolName)) {
      told = await ask("failure", { tool_response: { exit_code: event.isError ? 1 : 0, content: event.content } })
    } else if (EDITORS.has(event.toolName)) {
      told = await ask("edit")
    }
    if (told) return { content: [...event.content, { type: "text", text: told }] }
  })

  pi.on("session_shutdown", async (_event, ctx) => {
    const [directory, sessionID] = at(ctx)
    await hook("session-end", directory, sessionID)
  })
}


const MOST_SESSIONS = 200

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

const EDITORS = new Set(["edit", "write", "patch", "multiedit", "apply_patch"])

// What acreta says in the middle of a session. It answers at once or not at all.
function moments(directory, brief) {
  const ask = (event, sessionID, more) => hook(event, directory, sessionID, more, MOMENT_WAIT_MS)
  const edits = new Map()
  return {
    async prompt(input, output) {
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const last = output.parts.at(-1)
      if (typed.length === 0 || !last?.id) return
      // The brief comes first, so that acreta does not repeat here what is in it.
      await brief(input.sessionID)
      const told = await ask("prompt", input.sessionID, { prompt: typed.map((part) => part.text).join("\n") })
      if (!told) return
      const { sessionID, messageID } = last
      output.parts.push({ id: `${last.id}0`, sessionID, messageID, type: "text", synthetic: true, text: told })
    },
    async before(input, output) {
      if (!EDITORS.has(input.tool)) return
      const told = await ask("edit", input.sessionID, { tool_name: input.tool, tool_input: output.args })
      if (!told) return
      if (edits.size >= MOST_SESSIONS) edits.delete(edits.keys().next().value)
      edits.set(input.callID, told)
    },
    async after(input, output) {
      let told = edits.get(input.callID)
      edits.delete(input.callID)
      const exit = output.metadata?.exit
      if (input.tool === "bash" && typeof exit === "number") {
        const said = { tool_name: input.tool, tool_input: input.args, tool_response: { exit_code: exit, output: output.output } }
        told = await ask("failure", input.sessionID, said)
      }
      if (told && typeof output.output === "string") output.output += `\n\n${told}`
    },
  }
}

export default {
  id: "acreta",

  // OpenCode 1
  async server({ directory }) {
    const brief = briefs(directory)
    const moment = moments(directory, brief)
    return {
      "chat.message": moment.prompt,
      "tool.execute.before": moment.before,
      "tool.execute.after": moment.after,
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

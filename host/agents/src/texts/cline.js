
const EDITORS = new Set(["editor", "apply_patch", "write_to_file", "replace_in_file"])
const SHELLS = new Set(["run_commands", "execute_command", "bash"])

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? ""))

// The last words of the person.
function promptOf(messages) {
  const last = [...messages].reverse().find((message) => message.role === "user")
  const parts = Array.isArray(last?.content) ? last.content : [{ type: "text", text: textOf(last?.content) }]
  return parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
}

let directory = process.cwd()
let session = ""
const briefed = new Set()

export default {
  name: "acreta",
  manifest: { capabilities: ["hooks"] },

  setup(_api, ctx) {
    directory = ctx?.workspaceInfo?.rootPath ?? directory
    session = ctx?.session?.sessionId ?? ctx?.session?.id ?? session
  },

  hooks: {
    async beforeRun({ snapshot }) {
      // A subagent works for another agent.
      if (snapshot.parentAgentId) return undefined
      const sessionID = session || snapshot.conversationId || ""
      const brief = briefed.has(sessionID) ? "" : await hook("session-start", directory, sessionID)
      briefed.add(sessionID)
      const told = await hook("prompt", directory, sessionID, { prompt: promptOf(snapshot.messages) }, MOMENT_WAIT_MS)
      const appendContext = [brief, told].filter(Boolean).join("\n\n")
      return appendContext ? { appendContext } : undefined
    },

    async afterTool({ snapshot, toolCall, input, result }) {
      const name = toolCall?.toolName ?? toolCall?.name ?? ""
      const sessionID = session || snapshot.conversationId || ""
      const ask = (event, more) => hook(event, directory, sessionID, { tool_name: name, ...more }, MOMENT_WAIT_MS)
      let appendContext = ""
      if (SHELLS.has(name)) {
        const commands = input?.commands ?? input?.command ?? input
        const command = Array.isArray(commands) ? commands.map(textOf).join(" && ") : textOf(commands)
        appendContext = await ask("failure", { tool_input: { command }, tool_response: result })
      } else if (EDITORS.has(name)) {
        appendContext = await ask("edit", { tool_input: input })
      }
      return appendContext ? { appendContext } : undefined
    },
  },
}


// Cline waits three seconds for a plugin.
const SOON_MS = Math.min(MOMENT_WAIT_MS, 2500)
const EDITORS = new Set(["editor", "apply_patch"])

let directory = process.cwd()
let session = ""

const textOf = (message) =>
  message.content.map((part) => (part.type === "text" ? part.text : "")).join("")

// The newest words of the person, without the element in which Cline puts them.
function promptOf(messages) {
  const typed = messages.filter((message) => message.role === "user" && message.metadata?.displayRole !== "system")
  const last = typed.map(textOf).filter(Boolean).at(-1) ?? ""
  return last.replace(/^<user_input[^>]*>/, "").replace(/<\/user_input>\s*$/, "")
}

// The first command that failed, or else the first of all.
function shellOf(answer) {
  const results = Array.isArray(answer) ? answer.filter((it) => typeof it?.query === "string") : []
  const result = results.find((it) => it.success === false) ?? results[0]
  if (!result) return undefined
  const exit = /exited with code (\d+)/.exec(result.error ?? "")
  const exit_code = result.success === false ? Number(exit?.[1] ?? 1) : 0
  // Without the lines that Cline adds.
  const output = String(result.result ?? "").replace(/^\[(Command exited with code \d+|stderr)\]\n/gm, "")
  return { tool_input: { command: result.query }, tool_response: { exit_code, output } }
}

const isSubagent = (snapshot) => Boolean(snapshot.parentAgentId)

export default {
  name: "acreta",
  manifest: { capabilities: ["hooks"] },

  setup(_api, context) {
    directory = process.cwd()
    session = context?.session?.sessionId ?? ""
  },

  hooks: {
    async beforeRun({ snapshot }) {
      if (isSubagent(snapshot)) return undefined
      // With the first prompt of a session, acreta gives the brief as well.
      const told = await hook("prompt", directory, session, { prompt: promptOf(snapshot.messages) }, SOON_MS)
      return told ? { appendContext: told } : undefined
    },

    async afterTool({ tool, input, result }) {
      const tool_name = tool.name
      let told = ""
      if (EDITORS.has(tool_name)) {
        told = await hook("edit", directory, session, { tool_name, tool_input: input }, SOON_MS)
      } else {
        const ran = tool_name === "run_commands" && shellOf(result.output)
        if (ran) told = await hook("failure", directory, session, { tool_name, ...ran }, SOON_MS)
      }
      return told ? { appendContext: told } : undefined
    },

    async afterRun({ snapshot }) {
      if (!isSubagent(snapshot)) await hook("session-end", directory, session, {}, SOON_MS)
    },
  },
}

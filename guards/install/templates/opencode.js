// gatepost-hook for opencode: written by `gatepost install opencode`, removed by `gatepost uninstall opencode`.
@JUDGE@
const SHIMS = @SHIMS@
const TOOLS = new Set(["bash", "write", "edit", "read"])
const advice = new Map()

export const Gatepost = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (!TOOLS.has(input.tool)) return
    const answer = judge({ tool: input.tool, arguments: output.args, cwd: directory, session: input.sessionID ?? "" })
    // In place: an assignment to output.args itself is ignored.
    if (answer.command !== undefined) output.args.command = answer.command
    if (answer.advice !== undefined) advice.set(input.callID, answer.advice)
  },
  "tool.execute.after": async (input, output) => {
    const said = advice.get(input.callID)
    advice.delete(input.callID)
    if (said !== undefined && typeof output?.output === "string") output.output += `\n\n${said}`
  },
  "shell.env": async (_input, output) => {
    if (output?.env) output.env.PATH = `${SHIMS}:${output.env.PATH ?? process.env.PATH ?? ""}`
  },
})

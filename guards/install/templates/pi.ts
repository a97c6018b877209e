// gatepost-hook for @HOST_NAME@: written by `gatepost install @HOST_NAME@`, removed by `gatepost uninstall @HOST_NAME@`.
@JUDGE@
const TOOLS = new Set(["bash", "write", "edit", "read"])

export default function (host: any) {
  host.on("tool_call", async (event: any, context: any) => {
    if (!TOOLS.has(event.toolName)) return undefined
    const session = String(context?.sessionManager?.getSessionId?.() ?? "")
    try {
      const answer = judge({ tool: event.toolName, arguments: event.input, cwd: context?.cwd ?? process.cwd(), session })
      if (answer.command !== undefined) event.input.command = answer.command
      return undefined
    } catch (refusal: any) {
      return { block: true, reason: refusal.message }
    }
  })
}

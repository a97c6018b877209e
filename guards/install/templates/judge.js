import { spawnSync } from "node:child_process"

const HOOK = @HOOK@
const HOST = @HOST@

// Ask the hook. Throws with the reason of a refusal, and for a hook that is missing, fails, hangs or says something unreadable:
// the host blocks on a throw, so nothing runs unjudged.
function judge(request) {
  const made = spawnSync(HOOK, [HOST], { input: JSON.stringify(request), encoding: "utf8", timeout: @TIMEOUT@, maxBuffer: 1 << 24 })
  if (made.error) throw new Error(`gatepost: the hook could not answer (${made.error.message}), so nothing runs`)
  if (made.status !== 0) throw new Error(made.stderr.trim() || `gatepost: the hook ended with ${made.status ?? made.signal}, so nothing runs`)
  if (made.stdout.trim() === "") return {}
  let answer
  try {
    answer = JSON.parse(made.stdout)
  } catch {
    throw new Error("gatepost: the hook's answer could not be read, so nothing runs")
  }
  if (answer.deny !== undefined) throw new Error(answer.deny)
  return answer
}

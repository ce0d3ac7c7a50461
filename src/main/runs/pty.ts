import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import { spawn } from 'node-pty'
import type { RunLimits } from '@shared/domain/approval'
import { ERROR_FILE_KB, ERROR_READER, ERRORS_LOST, KILLED, SAID_BYTES, type ErrorPipe } from './error-pipe'
import { createTerminalStream } from './terminal-stream'

/** What is started on the terminal, and the files that stand for its other streams. */
export interface TerminalCommand {
  /** The shell that runs the wrapper: bash, which alone can close every inherited descriptor. */
  shell: string
  argv: string[]
  env: Record<string, string>
  cwd: string
  /** Standard error of the command is appended here; with `errors` it is a pipe that is made here, for the sandbox's own words. */
  errFile: string
  /** The pipe that a confined script gets as its standard error; null: it prints to `errFile`. */
  errors: ErrorPipe | null
  /** Descriptor 3 of the command: the sandbox reports here. */
  statusFile: string
  /** Descriptor 4 of the command: arguments for the sandbox that no other person should see in a process list. */
  argsFile: string
  /** Files that take the id of the command's process before it starts. */
  join: string[]
  limits: RunLimits
  /** Standard input; null: the terminal. */
  inFile: string | null
  /** A full-screen program: keys of the terminal are signals for it alone, and its output is left as it is. */
  fullScreen: boolean
}

export interface Terminal {
  readonly pid: number
  write(data: string): void
  resize(cols: number, rows: number): void
  pause(): void
  resume(): void
  /** Ends the wrapper itself; what it printed until now was delivered. */
  abandon(): void
  /** Resolves when the wrapper is gone and every byte was delivered. Null: it ended without its end marker. */
  readonly done: Promise<number | null>
}

/** Looks of the guard, of 20 ms, until a reader that has no end to read is killed. */
const DRAIN_TURNS = 100
/** Of the reader, by SIGUSR1, which the kernels that this runs on number so. */
const ENDED_BY_GUARD = 128 + constants.signals.SIGUSR1

/**
 * Closes what the app leaked (the terminals of other runs among it: node-pty opens them without close-on-exec, and a
 * script that holds one could read and type there), runs the command, prints the end marker with the exit code, and
 * waits until the app has read it, a moment where the terminal can't be read any more: a terminal that closes over
 * unread bytes loses them. Signals meant for the
 * command don't end the wrapper, but a hang-up does: when the app dies, the kernel hangs up, and the sandbox follows
 * its parent. The reader of a pipe of errors outlives that until the last one who can write there is gone; nobody may
 * open the pipe for reading after it. A sandbox that loses its parent before it has bound itself to it would stay: a
 * guard, which sees the wrapper go, kills what has the mark of the run, all but the reader. When the sandbox is gone the
 * run is over, whoever else was handed its pipe: the guard ends the reader as soon as the pipe was seen empty and the
 * reader asleep, so that all is kept that was printed until then (ADR 0062).
 */
const WRAPPER = `
marker=$1 ack=$2 err=$3 status=$4 args=$5 in=$6 join=$7 data=$8 file=$9
full=\${10} pipe=\${11} kept=\${12}
shift 12
for fd in /dev/fd/*; do
  fd=\${fd##*/}
  case $fd in 0|1|2|*[!0-9]*) ;; *) eval "exec $fd>&-" ;; esac
done
trap : INT QUIT TERM TSTP
if [ -n "$full" ]; then trap '' INT QUIT TSTP TTIN TTOU; fi
export -n SHLVL OLDPWD
exec 2>/dev/null
ulimit -c 0
if [ -n "$pipe" ]; then
  mkfifo -m 600 "$pipe" "$err" && exec 5<>"$pipe" 7<"$pipe" 9<>"$err" && chmod 200 "$pipe" || exit 125
  exec 8> >(
    trap '' HUP INT QUIT TERM TSTP TTIN TTOU
    exec >/dev/null 5>&- 6<&- 9<&-
    if read -r reader; then
      turns=0 empty=
      while [ "$turns" -lt ${DRAIN_TURNS} ]; do
        read -r -t 0.02 _ || [ "$?" -gt 128 ] || sleep 0.02
        turns=$((turns + 1))
        read -r -t 0 -u 7 || empty=1
        stat=
        read -r stat <"/proc/$reader/stat"
        case $empty$stat in "1$reader (${ERROR_READER}) S"*) kill -USR1 "$reader"; exit ;; esac
      done
      kill -KILL "$reader"
      exit
    fi
    clean=0
    while [ "$clean" -lt 3 ]; do
      clean=$((clean + 1))
      for found in $(grep -lszxF "SATCHEL_RUN_ID=$SATCHEL_RUN_ID" /proc/[0-9]*/environ); do
        pid=\${found#/proc/} pid=\${pid%/environ} name=
        read -r name <"/proc/$pid/comm"
        if [ "$pid" != "$BASHPID" ] && [ "$name" != ${ERROR_READER} ]; then
          kill -KILL "$pid" && clean=0
        fi
      done
      sleep 0.05
    done
    : >"$kept${KILLED}"
  )
  guard=$!
  (
    trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE XFSZ
    ulimit -f ${ERROR_FILE_KB}
    exec ${ERROR_READER} -a "$kept" <&7 >/dev/null 5>&- 6<&- 7<&- 8>&- 9<&-
  ) &
  reader=$!
  exec 7<&-
fi
ulimit -f "$file"
exec 6<&0
if [ -n "$in" ]; then exec <"$in"; fi
(
  for group in $join; do echo "$BASHPID" >"$group" || exit 125; done
  ulimit -d "$data" 2>/dev/null
  exec "$@"
) 2>>"$err" 3>"$status" 4<"$args" 5>&- 6<&- 8>&- 9<&-
code=$?
if [ -n "$pipe" ]; then
  exec 5>&-
  echo "$reader" >&8
  wait "$reader"
  case $? in 0|${ENDED_BY_GUARD}) ;; *) echo '${ERRORS_LOST}' >>"$status" ;; esac
  kill -KILL "$guard"
  exec 8>&-
  if [ "$code" -ne 0 ]; then
    exec 7<"$err" 9<&-
    IFS= read -r -d '' -n ${SAID_BYTES} -t 0.2 -u 7 words
    printf '%s' "$words" >"$kept.sandbox"
  fi
fi
printf '%s%s;' "$marker" "$code"
while IFS= read -r line <&6; do
  if [ "$line" = "$ack" ]; then exit "$code"; fi
done
sleep 1
exit "$code"
`

/** What a process may reserve beyond the memory that all may use: V8 reserves half a gigabyte and uses little of it. */
const RESERVED_BYTES = 1024 ** 3

/** How long a wrapper may take to leave after its marker was read; then everything is here and it is killed. */
const LEAVE_MS = 500

/** Starts a command on a terminal of its own. `onData` gets the bytes that it prints, in order, none missing. */
export function openTerminal(command: TerminalCommand, onData: (bytes: Buffer) => void): Terminal {
  const marker = `\x1e${randomBytes(16).toString('hex').toUpperCase()}`
  const ack = randomBytes(16).toString('hex')
  const args = wrapperArgs(command, marker, ack)
  const pty = spawn(command.shell, args, {
    cols: 120,
    rows: 30,
    cwd: command.cwd,
    env: command.env,
    encoding: null,
  })
  const stream = createTerminalStream(marker, command.fullScreen)
  let gone = false
  const kill = () => {
    if (!gone) pty.kill('SIGKILL')
  }
  pty.onData((chunk) => {
    if (stream.exitCode() !== null) return
    const bytes = stream.push(chunk)
    if (bytes.length > 0) onData(bytes)
    if (stream.exitCode() === null) return
    pty.write(`\n${ack}\n`)
    setTimeout(kill, LEAVE_MS).unref()
  })
  const done = new Promise<number | null>((resolve) => {
    pty.onExit(() => {
      gone = true
      const rest = stream.rest()
      if (rest.length > 0) onData(rest)
      resolve(stream.exitCode())
    })
  })
  const whileOpen = (action: () => void) => {
    if (!gone) action()
  }
  return {
    pid: pty.pid,
    write: (data) => whileOpen(() => pty.write(data)),
    resize: (cols, rows) => whileOpen(() => pty.resize(cols, rows)),
    pause: () => whileOpen(() => pty.pause()),
    resume: () => whileOpen(() => pty.resume()),
    abandon: kill,
    done,
  }
}

function wrapperArgs(command: TerminalCommand, marker: string, ack: string): string[] {
  const { errFile, errors, statusFile, argsFile, inFile, join, limits } = command
  const sizes = [limits.memoryBytes + RESERVED_BYTES, limits.fileBytes].map((bytes) =>
    String(Math.ceil(bytes / 1024)),
  )
  const names = [
    marker,
    ack,
    errFile,
    statusFile,
    argsFile,
    inFile ?? '',
    join.join(' '),
    ...sizes,
    command.fullScreen ? 'full' : '',
    errors?.pipe ?? '',
    errors?.file ?? '',
  ]
  return ['-p', '-c', WRAPPER, 'satchel-run', ...names, ...command.argv]
}

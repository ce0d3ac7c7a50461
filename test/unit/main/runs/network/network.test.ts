import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNetns } from './netns'

let netns: Awaited<ReturnType<typeof createNetns>>
beforeAll(async () => {
  netns = await createNetns()
})
afterAll(() => netns.remove())

const GIVEN = { given: ['api.example.com'], wishes: ['api.example.com'] }
const NAMES = { 'api.example.com': ['203.0.113.5'] }

/** Sends raw text to the proxy and prints the first line of its answer. */
const ASK = `
ask() { exec 3<>/dev/tcp/127.0.0.1/3128; printf "$1" >&3; IFS= read -r -t 10 line <&3; echo "[\${line%$'\\r'}]"; exec 3>&-; }
connect() { ask "CONNECT $1 HTTP/1.1\\r\\nhost: $1\\r\\n\\r\\n"; }
`

describe('a run that may reach one host', () => {
  test.each([
    ['as who starts it', false],
    ['as an unprivileged user', true],
  ])('reaches it by TLS and nothing listens on a port meanwhile, %s', async (_who, asNobody) => {
    const script = 'curl -sk https://api.example.com/; curl -sk https://api.example.com/'
    const answer = await netns.play({ ...GIVEN, names: NAMES, script }, asNobody)
    const network = {
      reached: [{ host: 'api.example.com:443', address: '203.0.113.5', times: 2 }],
      refused: [],
    }
    expect(answer).toMatchObject({
      sandbox: { works: true, network: expect.stringContaining('You can let a run reach hosts') },
      status: 'succeeded',
      stdout: 'servedserved',
      served: ['api.example.com', 'api.example.com'],
      listening: [],
      network,
      audit: [
        { action: 'run.started', hosts: ['api.example.com:443'] },
        { action: 'run.finished', network },
      ],
    })
    expect(answer.stderr).toContain('[Satchel watched its network: it reached api.example.com:443 (2 times)]')
    expect(answer.uid === 65534).toBe(asNobody)
  })

  test('A60: a name with a NUL is no host', async () => {
    const script = `${ASK} connect 'evil\\0.api.example.com:443'; connect 'api.example.com\\0.evil.test:443'; connect 'api.example.com:443'`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script })
    expect(answer.stdout).toBe('[]\n[]\n[HTTP/1.1 200 Connection established]\n')
    expect(answer).toMatchObject({ touched: 0, served: [], resolved: ['api.example.com'] })
  })

  test('A61: another spelling of the name is another name', async () => {
    const script = `${ASK}
      for host in api.example.com.evil.test:443 API.EXAMPLE.COM.:443 xapi.example.com:443 example.com:443 \\
        xn--pi-7kc.example.com:443 аpi.example.com:443 [::1]:443 203.0.113.5:443 user@api.example.com:443 \\
        api.example.com:0443 api.example.com:443@evil.test:443 'api.example.com%%00:443' 2130706433:443; do connect "$host"; done
      connect 'API.example.COM:443'`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script })
    const lines = answer.stdout.trim().split('\n')
    expect(lines.slice(0, -1).filter((line) => line.includes(' 200 '))).toEqual([])
    expect(lines).toHaveLength(14)
    expect(lines.at(-1)).toBe('[HTTP/1.1 200 Connection established]')
    expect(answer).toMatchObject({ touched: 0, served: [], resolved: ['api.example.com'] })
    expect(answer.stderr).toContain('api.example.com.evil.test:443 was refused: it is not allowed')
  })

  test('A62: an allowed name that leads to this computer, its neighbours or a private place is refused', async () => {
    const places = [
      '127.0.0.1',
      '169.254.169.254',
      '::ffff:127.0.0.1',
      '10.0.0.1',
      '203.0.113.9',
      '::1',
      '0.0.0.0',
      '64:ff9b::7f00:1',
    ]
    const hosts = places.map((_, index) => `h${index}.example.com`)
    const script = `${ASK} for n in ${places.map((_, index) => index).join(' ')}; do connect "h$n.example.com:443"; done`
    const names = Object.fromEntries(hosts.map((host, index) => [host, [places[index] ?? '']]))
    const answer = await netns.play({ given: hosts, wishes: hosts, names, script })
    expect(answer.stdout.trim().split('\n')).toEqual(places.map(() => '[HTTP/1.1 403 Forbidden]'))
    expect(answer).toMatchObject({ touched: 0, served: [] })
    expect(answer.network).toMatchObject({ reached: [] })
  })

  test('A62: a name that leads elsewhere when it is asked for again still leads to what was checked', async () => {
    const names = { 'api.example.com': [['203.0.113.5'], ['127.0.0.1']] }
    const answer = await netns.play({
      ...GIVEN,
      names,
      script: 'curl -sk https://api.example.com/; curl -sk https://api.example.com/',
    })
    expect(answer).toMatchObject({ stdout: 'served', served: ['api.example.com'], touched: 0 })
    expect(answer.resolved).toHaveLength(2)
  })

  test('an address that leads nowhere is passed over, and one that is not allowed is never tried', async () => {
    const names = { 'api.example.com': ['2001:db8::1', '127.0.0.1', '10.0.0.1', '203.0.113.5'] }
    const answer = await netns.play({ ...GIVEN, names, script: 'curl -sk https://api.example.com/' })
    expect(answer).toMatchObject({ stdout: 'served', touched: 0 })
    expect(answer.network).toMatchObject({ reached: [{ address: '203.0.113.5' }] })
  })

  test('A63: another port, a redirect, plain HTTP, a WebSocket and other bytes than TLS do not pass', async () => {
    const script = `${ASK}
      connect api.example.com:8443
      curl -skL -o /dev/null -w '[%{http_code} %{http_connect}]' https://api.example.com/away
      curl -s -o /dev/null -w '[%{http_code}]\\n' http://api.example.com/
      ask 'GET ws://api.example.com:443/ HTTP/1.1\\r\\nhost: api.example.com\\r\\nconnection: upgrade\\r\\nupgrade: websocket\\r\\n\\r\\n'
      exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT api.example.com:443 HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\nhost: evil.example\\r\\n\\r\\n' >&3; cat <&3 | tail -c 30; exec 3>&-`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script })
    expect(answer.stdout.replaceAll('\r', '')).toBe(
      '[HTTP/1.1 403 Forbidden]\n[000 403][403]\n[HTTP/1.1 403 Forbidden]\n200 Connection established\n\n',
    )
    expect(answer).toMatchObject({
      touched: 0,
      served: ['api.example.com'],
      resolved: ['api.example.com', 'api.example.com'],
    })
    expect(JSON.stringify(answer.network)).toContain('evil.example:443')
  })

  test('TLS that asks for another name than the connection does gets to no server', async () => {
    const script = `for name in evil.example ALLOWED.EXAMPLE.ORG api.example.com.; do
        openssl s_client -proxy 127.0.0.1:3128 -connect api.example.com:443 -servername "$name" </dev/null >/dev/null 2>&1; echo "$?"
      done
      openssl s_client -proxy 127.0.0.1:3128 -connect api.example.com:443 -noservername </dev/null >/dev/null 2>&1; echo "$?"`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script })
    expect(answer.stdout).toBe('1\n1\n1\n1\n')
    expect(answer.served).toEqual([])
    expect(answer.stderr).toContain('TLS asked for another name, evil.example')
    expect(answer.stderr).toContain('TLS did not say which name it asks for')
  })

  test('past the proxy there is no name and no way', async () => {
    const script = `getent hosts api.example.com && echo resolved
      for place in 203.0.113.5/443 127.0.0.1/443 10.0.0.1/443; do (exec 3<>/dev/tcp/$place) 2>/dev/null && echo "$place"; done
      (exec 3<>/dev/udp/203.0.113.5/53 && echo q >&3) 2>/dev/null && echo udp
      curl -sk --noproxy '*' --max-time 5 https://203.0.113.5/; grep -c : /proc/net/dev`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script })
    expect(answer).toMatchObject({ stdout: '1\n', touched: 0, served: [], resolved: [] })
  })

  test('a run that was given nothing has no network and no proxy', async () => {
    const script = `env | grep -ci proxy; (exec 3<>/dev/tcp/127.0.0.1/3128) 2>/dev/null || echo none; ls /.sandbox | tr '\\n' ' '`
    const none = { names: NAMES, script, given: ['api.example.com'], wishes: ['other.example.com'] }
    expect(await netns.play(none)).toMatchObject({ stdout: '0\nnone\nerrors skills ', network: null })
  })

  test('a stopped run leaves no connection and no program', async () => {
    const script = `(while :; do :; done) & ${ASK} connect api.example.com:443; sleep 600`
    const answer = await netns.play({ ...GIVEN, names: NAMES, script, timeoutMs: 1500 })
    expect(answer).toMatchObject({ status: 'timed_out', listening: [], left: [] })
  })

  test('when the app is killed, nobody answers any more and no program is left', async () => {
    const script = `${ASK} connect api.example.com:443; echo ready; sleep 600`
    expect(await netns.playToDeath({ ...GIVEN, names: NAMES, script, dies: true })).toEqual({
      ended: 'SIGKILL',
      answer: 'ECONNREFUSED',
    })
  })
})

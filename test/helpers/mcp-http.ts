import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** A real MCP server on 127.0.0.1, of the SDK. */
export interface HttpServer {
  url: string
  /** What arrived, in order: method and `Authorization`. */
  heard: string[]
  /** Answers every call like this from now on; null: as a server does. */
  instead: { status: number; headers: Record<string, string>; body?: string } | null
  /** Forgets every session, as after a restart. */
  forget(): void
  close(): Promise<void>
}

export async function startHttpServer(): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const http = createServer((request, response) => {
    here.heard.push(`${request.method} ${request.headers.authorization ?? '-'}`)
    if (here.instead) {
      response.writeHead(here.instead.status, here.instead.headers).end(here.instead.body)
      return
    }
    void transportFor(sessions, request).then((transport) => {
      if (!transport) response.writeHead(404).end()
      return transport?.handleRequest(request, response)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const here: HttpServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    heard: [],
    instead: null,
    forget: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return here
}

/** The session that a request is of, or a new one; undefined: it names one that there is not. */
async function transportFor(
  sessions: Map<string, StreamableHTTPServerTransport>,
  { headers }: IncomingMessage,
): Promise<StreamableHTTPServerTransport | undefined> {
  const id = headers['mcp-session-id']
  if (typeof id === 'string') return sessions.get(id)
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
  })
  const server = new McpServer({ name: 'docs', version: '1.0.0' })
  server.registerTool('find', { description: 'Finds pages' }, () => ({
    content: [{ type: 'text', text: 'two pages' }],
  }))
  await server.connect(transport)
  return transport
}

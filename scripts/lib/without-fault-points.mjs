// Leaves the places where tests plant faults out of what people run.

const call = /^[ \t]*faultPoint\([^()\n]*\)[ \t]*$/gm

/**
 * A plugin for Vite. Throws where a fault point would stay: it must stand alone on its line.
 * @returns {{ name: string, enforce: 'pre', transform(code: string, id: string): { code: string, map: null } | null }}
 */
export function withoutFaultPoints() {
  return {
    name: 'without-fault-points',
    enforce: 'pre',
    transform(code, id) {
      if (!/src[\\/]main[\\/]/.test(id) || !code.includes('faultPoint(')) return null
      if (id.replaceAll('\\', '/').endsWith('src/main/lib/fault-point.ts')) return null
      const left = code.replace(call, '')
      if (left.includes('faultPoint(')) throw new Error(`A fault point must stand alone on its line: ${id}`)
      return { code: left, map: null }
    },
  }
}

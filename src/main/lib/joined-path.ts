import { delimiter } from 'node:path'

/** Where interpreters are looked for: in the folders of the login shell (null: it has none), then in the app's own PATH. */
export function joinedPath(own: string, login: string | null): string {
  const plain = withoutPackages(own)
  if (login === null) return plain
  return [...new Set([...login.split(delimiter), ...plain.split(delimiter)])].join(delimiter)
}

/** npx and npm put programs of packages in front, a Node among them: a person's terminal has none of them. */
function withoutPackages(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !/[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/.test(folder))
    .join(delimiter)
}

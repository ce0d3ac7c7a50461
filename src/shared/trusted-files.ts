/** What no script may write in a sandbox (SB-5), for people; the names are in `main/lib/protected-paths`. */
export const TRUSTED_FILES = '.git (no commits), settings of editors, shells and agents'

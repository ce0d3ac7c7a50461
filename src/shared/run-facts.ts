/** Set for every run by Satchel, of no use to a script: by it a process that outlives its run is found (AP-9). */
export const RUN_ID = 'SATCHEL_RUN_ID'

/** What no script may write in a sandbox (SB-5), for people; the names are in `main/lib/protected-paths`. */
export const TRUSTED_FILES = '.git (no commits), settings of editors, shells and agents'

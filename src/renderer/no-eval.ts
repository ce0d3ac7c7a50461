import { z } from 'zod'

// The page may not compile text (CSP, Trusted Types). Zod tries once unless told; so this is imported first.
z.config({ jitless: true })

/** Rules for the page. Everything that is not named is forbidden; scripts have no exception. */
const RULES: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  // radix-ui inserts a style element while a dialog is open; a style can reach nothing, see the next rules.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'form-action': "'none'",
  'frame-src': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'default dompurify',
}

export const CONTENT_SECURITY_POLICY = Object.entries(RULES)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')

/** Sent with every file of the page. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

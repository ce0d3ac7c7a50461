/**
 * Characters of frontmatter that are parsed. The YAML library's time for hostile text grows with the square of
 * characters and lines; within these limits it stays at about a tenth of a second. Real frontmatter has a few kB.
 */
export const MAX_FRONTMATTER = 16_000
/** Lines of frontmatter that are parsed. */
export const MAX_FRONTMATTER_LINES = 1000

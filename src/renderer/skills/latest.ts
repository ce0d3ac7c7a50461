/**
 * Asks one question at a time and always the newest next: what was asked in between is left out, and the answer of the
 * last one is the last that is told. `null` stands for a question that failed.
 */
export function createLatest<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  tell: (question: Question, answer: Answer | null) => void,
): (question: Question) => void {
  let asking = false
  let next: { question: Question } | null = null
  const run = async (question: Question): Promise<void> => {
    asking = true
    const answer = await ask(question).catch(() => null) // the list still filters by what the rows say
    asking = false
    const newer = next
    next = null
    if (newer) void run(newer.question)
    else tell(question, answer)
  }
  return (question) => {
    if (asking) next = { question }
    else void run(question)
  }
}

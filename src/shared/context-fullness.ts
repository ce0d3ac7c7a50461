/** From this share of a model's window on summarising older messages is offered (`ux.md` 3.1). */
export const OFFER_AT = 0.85
/** From here on a person should choose; where nobody is there to, they are summarised before the next message. */
export const CHOOSE_AT = 0.95

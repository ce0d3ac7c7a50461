/**
 * The day that the table of prices which comes with Satchel is of. It was written down from the providers' public price
 * lists and compared with no bill, so every sum that is made with it is an estimate, and is shown as one.
 */
export const PRICES_AS_OF = '2025-11-01'

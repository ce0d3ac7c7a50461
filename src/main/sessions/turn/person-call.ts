import type { CallRow } from '../../db/call-rows'

/** The id that a model's call never has. */
export const NO_PROVIDER_CALL = ''

/** True for a call that a person made: no model knows of it, and the answer stands under no id of a provider. */
export function isPersons({ providerCallId }: Pick<CallRow, 'providerCallId'>): boolean {
  return providerCallId === NO_PROVIDER_CALL
}

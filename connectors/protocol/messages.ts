import { Type } from 'typebox';
import { text } from './messages/fields.ts';

/**
 * The messages of the Recaudo Connector Protocol, version 1 (docs/reference/connectors/), one file
 * per subject. Amounts are integer centavos, moments are ISO 8601 in UTC. Both sides ignore unknown
 * members.
 */
export * from './messages/accounts.ts';
export * from './messages/cards.ts';
export * from './messages/charges.ts';
export { idPattern } from './messages/fields.ts';
export * from './messages/frames.ts';
export * from './messages/manifest.ts';
export * from './messages/notices.ts';
export * from './messages/refunds.ts';
export * from './messages/settlements.ts';
export * from './messages/transfers.ts';
export type { ConnectorChannel } from './names.ts';

/** Any answer other than 200: the outcome of the call is unknown, except for 409 and 422. */
export const faultSchema = Type.Object({ message: text(500, 'What was wrong') });

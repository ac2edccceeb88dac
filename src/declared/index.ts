import { bankMandateCanceling, cardMandateCanceling } from '../mandates/operations.ts';
import { paymentRequestOperations } from '../payment-requests/operations.ts';
import type { BaseOperation } from '../platform/http/operation-api.ts';
import { eventResending, webhookRemoving } from '../webhooks/operations.ts';

/** Operations that the API, commands and MCP serve from their declarations, in order. */
export const declared: readonly BaseOperation[] = [
  webhookRemoving,
  eventResending,
  bankMandateCanceling,
  cardMandateCanceling,
  ...paymentRequestOperations,
];

import type { BaseOperation } from '../platform/http/operation-api.ts';

/** Operations on payment requests that every door serves by the declaration alone. */
export const paymentRequestOperations: readonly BaseOperation[] = [];

import type { BaseOperation } from '../platform/http/operation-api.ts';

/** Operations on payment requests whose declaration serves every door. */
export const paymentRequestOperations: readonly BaseOperation[] = [];

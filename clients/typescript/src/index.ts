export { Recaudo } from './client.ts';
export {
  type CallContext,
  ConfigurationError,
  ConnectionError,
  DeadlineError,
  type FieldError,
  RecaudoError,
  RefusedError,
  UnexpectedAnswerError,
  WebhookError,
} from './errors.ts';
export type { Attempt, CallOptions, ClientOptions } from './options.ts';
export type { Reports } from './resources.ts';

export type * from './types.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent } from './webhooks.ts';

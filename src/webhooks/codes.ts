import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, tooMany, ...refusals } = declareRefusals(
  {
    'webhook.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, the webhook was removed, or it belongs to another account.',
    },
    'webhook.limit_reached': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: 'Remove an unused webhook.',
    },
    'webhook.secret_revoked': {
      kind: 'conflict',
      parameters: { id: 'count' },
      help: "The secret has been rotated since, or the operator retired the service's key that made it, for example after a leak. Rotate the secret to get a new one.",
    },
    'webhook.secrets_replaced': {
      kind: 'unavailable',
      parameters: {},
      help: 'The operator is retiring a key of the service. Retry the call.',
    },
    'webhook.tests_busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Receivers of this or other accounts answer slowly, and only a few tests run at a time. Retry the call.',
    },
    'webhook.look_ups_busy': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'Name servers are answering slowly, for the addresses of this account or of others. Register and edit webhooks one after another.',
    },
    'webhook.none_registered': {
      kind: 'conflict',
      parameters: { type: 'text' },
      help: 'Register a webhook for the type, or add the type to an existing one.',
    },
    'webhook.url_malformed': {
      kind: 'field',
      parameters: {},
      help: 'Send a complete URL.',
    },
    'webhook.url_not_https': {
      kind: 'field',
      parameters: {},
      help: 'In production, webhooks are only sent encrypted.',
    },
    'webhook.url_not_http': {
      kind: 'field',
      parameters: {},
      help: 'Other schemes are not supported.',
    },
    'webhook.url_credentials': {
      kind: 'field',
      parameters: {},
      help: 'The signature already authenticates each message. Remove the user name and password.',
    },
    'webhook.url_fragment': {
      kind: 'field',
      parameters: {},
      help: 'HTTP clients never send fragments. Remove the fragment.',
    },
    'webhook.url_port': {
      kind: 'field',
      parameters: { first: 'count' },
      help: 'Lower ports belong to other services.',
    },
    'webhook.url_not_public': {
      kind: 'field',
      parameters: { sandbox: 'text' },
      help: 'The host is, or resolves to, an address in a private or reserved network. Use a host that the internet can reach.',
    },
    'webhook.url_unknown_host': {
      kind: 'field',
      parameters: { host: 'text' },
      help: 'The name has a typing error, or its name servers do not answer. Check both, and retry.',
    },
    'webhook.event_type': { kind: 'part', parameters: {}, help: '' },
    'webhook.event_types': { kind: 'part', parameters: { max: 'count' }, help: '' },
    'webhook.event_type_unknown': {
      kind: 'field',
      parameters: {},
      help: '`GET /event-type` lists the types.',
    },
    'webhook.no_event_types': {
      kind: 'field',
      parameters: {},
      help: 'A webhook without event types would receive nothing.',
    },
    'event.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, the event belongs to another account, or it is no longer in the feed.',
    },
    'event.still_sent': {
      kind: 'conflict',
      parameters: {},
      help: 'Deliveries of the event are waiting or being retried. Wait until they have ended; resume a paused webhook first.',
    },
    'event.webhook_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The id is wrong, the webhook was removed, or it belongs to another account.',
    },
    'event.position_invalid': {
      kind: 'field',
      parameters: { most: 'count' },
      help: 'Send `next` from the last answer.',
    },
    'delivery.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The webhook never received the event, or received it too long ago.',
    },
  },
  { en, es },
);

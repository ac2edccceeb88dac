import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'charge.channel_unavailable': {
      kind: 'conflict',
      parameters: { channel: 'text' },
      help: 'No connector currently serves the channel, or this brand of card. Pay through another channel, or with another card.',
    },
    'charge.amount_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'A due date has passed, or someone edited the amount. Read the request and pay what is due.',
    },
    'charge.request_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'The request changed at the same moment; another payment of it was refused, for example. Retry the call.',
    },
    'charge.being_processed': {
      kind: 'conflict',
      parameters: {},
      help: 'Only one payment of a request, or with one reference, runs at a time. Read the request until it is paid or pending.',
    },
    'charge.outcome_unknown': {
      kind: 'conflict',
      parameters: {},
      help: 'The channel has not answered the first call yet. Retry later; only one payment is made.',
    },
    'charge.tries_spent': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'The request has reached its limit of refused payments (`REFUSED_TRIES_A_REQUEST`).',
    },
    'charge.tries_paused': {
      kind: 'too_many_requests',
      parameters: { until: 'moment' },
      help: 'After `REFUSED_TRIES_FREE` refused payments of a request in 24 hours, each further one doubles the wait before the next attempt.',
    },
    'charge.cards_paused': {
      kind: 'too_many_requests',
      parameters: { until: 'moment' },
      help: 'Someone may be testing stolen cards on the account, so card payments pause (`CARD_TRIES_*`).',
    },
    'charge.reported_differently': {
      kind: 'conflict',
      parameters: { trx: 'text' },
      help: 'The network used one transaction number for two payments, or reported a payment that has ended or that it reversed. Ask the network.',
    },
    'charge.forged': {
      kind: 'conflict',
      parameters: { trx: 'text' },
      help: 'Someone changed the database without the service. The operator must investigate before money moves.',
    },
    'charge.not_connected': {
      kind: 'conflict',
      parameters: { connector: 'text' },
      help: 'The operator removed the connector from `CONNECTORS`. The service records its payments once the operator adds it back.',
    },
    'charge.kind_unavailable': {
      kind: 'conflict',
      parameters: { connector: 'text' },
      help: "The connector's `channels` in `CONNECTORS` or its manifest lack `qr`, or an alarm switched it off (`connectors alarms`). Add `qr` to both, or repair the fault and run `connectors resume`.",
    },
  },
  { en, es },
);

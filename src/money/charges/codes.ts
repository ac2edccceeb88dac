import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'charge.channel_unavailable': {
      kind: 'conflict',
      parameters: { channel: 'text' },
      help: 'No connector takes the channel now. Pay by another one.',
    },
    'charge.amount_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'The amount due depends on the day, or was edited. Read the request, and pay what is due.',
    },
    'charge.request_changed': {
      kind: 'conflict',
      parameters: {},
      help: 'Another payment of the request was refused at the same moment. Repeat the call.',
    },
    'charge.being_processed': {
      kind: 'conflict',
      parameters: {},
      help: 'One payment of a request is processed at a time. Read the request until it is paid or pending.',
    },
    'charge.outcome_unknown': {
      kind: 'conflict',
      parameters: {},
      help: 'The channel has not answered the first call yet. Repeat this one later: it pays once.',
    },
    'charge.tries_spent': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'So many payments of the request were refused that it takes no more cards (`REFUSED_TRIES_A_REQUEST`).',
    },
    'charge.tries_paused': {
      kind: 'too_many_requests',
      parameters: { until: 'moment' },
      help: 'Payments of the request were refused. Each refusal makes the next try wait longer (`REFUSED_TRIES_FREE`).',
    },
    'charge.cards_paused': {
      kind: 'too_many_requests',
      parameters: { until: 'moment' },
      help: 'Somebody may be trying out cards on the account, so cards wait (`CARD_TRIES_*`).',
    },
    'charge.reported_differently': {
      kind: 'conflict',
      parameters: { trx: 'text' },
      help: 'The network used one name for two payments, or reported one that has ended. Ask the network.',
    },
    'charge.forged': {
      kind: 'conflict',
      parameters: { trx: 'text' },
      help: 'Somebody changed the database without the service. The operator looks into it before money moves.',
    },
    'charge.not_connected': {
      kind: 'conflict',
      parameters: { connector: 'text' },
      help: 'The operator has taken the connector out of `CONNECTORS`.',
    },
    'charge.kind_unavailable': {
      kind: 'conflict',
      parameters: { connector: 'text' },
      help: 'The connector is not configured for the channel.',
    },
  },
  { en, es },
);

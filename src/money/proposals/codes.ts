import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'proposal.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text', kind: 'text', amount: 'money' },
      help: 'A reference names one proposal. Use another one, or the same amount.',
    },
    'proposal.decided': {
      kind: 'conflict',
      parameters: { id: 'count', state: 'text' },
      help: 'Somebody approved or rejected it, or it lapsed. Read it.',
    },
    'proposal.own': {
      kind: 'forbidden',
      parameters: {},
      help: 'Four eyes: the proposer cannot approve.',
    },
    'proposal.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the proposal is of another account.',
    },
  },
  { en, es },
);

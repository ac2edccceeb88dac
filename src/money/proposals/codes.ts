import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'proposal.reference_taken': {
      kind: 'conflict',
      parameters: { reference: 'text', kind: 'text', amount: 'money' },
      help: 'A reference belongs to one proposal. Use another reference, or propose the same amount.',
    },
    'proposal.decided': {
      kind: 'conflict',
      parameters: { id: 'count', state: 'text' },
      help: 'Someone approved or rejected the proposal, or it expired. Read it.',
    },
    'proposal.own': {
      kind: 'forbidden',
      parameters: {},
      help: 'Four eyes: someone other than the person who made the proposal must approve it.',
    },
    'proposal.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the proposal belongs to another account.',
    },
  },
  { en, es },
);

import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, ...refusals } = declareRefusals(
  {
    'suspense.forged': {
      kind: 'conflict',
      parameters: { id: 'count' },
      help: 'Someone changed the database without the service. The operator must investigate before money moves.',
    },
    'suspense.request_in_process': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'A debit is in process, so assigning the money now could collect it twice.',
    },
    'suspense.recorded_before': {
      kind: 'conflict',
      parameters: { account: 'text' },
      help: 'The account already has the payment, so return the money in suspense.',
    },
    'suspense.resolved': {
      kind: 'conflict',
      parameters: { id: 'count', outcome: 'text' },
      help: 'Someone decided on it in the meantime. Read it.',
    },
    'suspense.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong. List the payments in suspense.',
    },
  },
  { en, es },
);
